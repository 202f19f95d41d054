/** What the panel says about a text, in words. */
import { t } from "../../platform/messages/aitext";
import { day, timeLeft } from "../../domain/files/format";
import { languageName } from "../../domain/languages/languages";
import type { AiText, Block, Version } from "./data";

export const nameOf = (text: Pick<AiText, "label" | "language" | "language_label">): string =>
  `${text.label}, ${languageName(text.language, text.language_label)}`;

/** A few words for the tab of a text; empty when it is ready and up to date. */
export function tabState(text: AiText): string {
  switch (text.state) {
    case "waiting":
      return t("queued");
    case "running":
      return `${text.progress}%`;
    case "failed":
      return t("failed");
    case "cancelled":
      return t("cancelled");
    case "ready":
      return text.is_stale ? t("state.stale") : "";
  }
}

/** What an unfinished text waits for. */
export function waitingWords(text: AiText): string {
  const left = text.eta_s === null ? "" : `, ${timeLeft(text.eta_s)}`;
  if (text.state === "running") {
    return text.stalled_s === null
      ? t("state.writing", { progress: text.progress, left })
      : t("state.waitingForModel");
  }
  if (text.retry_at !== null) return t("state.interrupted");
  if (text.queue_place === null) return t("state.queued");
  return text.queue_place === 1
    ? t("state.queuedNext", { left })
    : t("state.queuedAt", { queuePlace: text.queue_place, left });
}

/** Who made the text and when. */
export function madeWords(text: AiText): string {
  const made = [
    text.engine === null ? "" : t("engine", { engine: text.engine }),
    text.is_edited ? t("edited") : "",
    day(text.updated_at),
  ];
  return made.filter((part) => part !== "").join(" · ");
}

export const percentOf = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 100);

/** How many minutes with speech the text cites at least once. */
export function coverageWords({ coverage }: Pick<AiText, "coverage">): string {
  const spoken = coverage.speech_ms.filter((ms) => ms > 0).length;
  const cited = coverage.cited_ms.filter((ms) => ms > 0).length;
  return t("coverage.cited", { cited, spoken });
}

export function staleWords(blocks: readonly Block[]): string {
  const count = blocks.filter(({ stale }) => stale).length;
  const parts = count === 1 ? t("stale.one") : t("stale.many", { count });
  return t("stale.captions", { parts });
}

const KINDS: Record<Version["kind"], string> = {
  written: t("written"),
  edited: t("edited"),
  restored: t("broughtBack"),
};

export const versionWords = ({ kind, by }: Pick<Version, "kind" | "by">): string =>
  by === null ? KINDS[kind] : t("version.by", { kind: KINDS[kind], by });
