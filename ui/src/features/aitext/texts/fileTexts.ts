/** The texts of a file as its card shows them. */
import { t } from "../../../platform/messages/aitext";
import type { MediaFile } from "../../../domain/files/data";

type Brief = MediaFile["ai_texts"][number];

interface TextEvent {
  action: string;
  child?: string | null;
  progress: number;
}

/** A label such as "Minutes 40%". */
export function briefWords({ label, state, progress }: Brief): string {
  switch (state) {
    case "waiting":
      return t("labelQueued", { label });
    case "running":
      return `${label} ${progress}%`;
    case "failed":
      return t("labelFailed", { label });
    case "cancelled":
      return t("labelCancelled", { label });
    case "ready":
      return label;
  }
}

/** The file with a text's progress applied, before it is refetched. */
export function withText(held: MediaFile, { action, child, progress }: TextEvent): MediaFile {
  if (action !== "Progress") return held;
  return {
    ...held,
    ai_texts: held.ai_texts.map((one) =>
      `${one.type}_${one.language}` === child &&
      (one.state === "waiting" || one.state === "running")
        ? { ...one, state: "running", progress: Math.max(one.progress, progress) }
        : one,
    ),
  };
}
