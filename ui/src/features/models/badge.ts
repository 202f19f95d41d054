import { t } from "../../platform/messages/models";
import type { Model } from "./data";
import { unavailable } from "./unavailable";

export interface BadgeWords {
  words: string;
  tone: "quiet" | "moving" | "warn";
}

/**
 * What the badge of the models says: what keeps a person from working first, then a model on its way, then what an
 * administrator could add, else what listens. Undefined until it is known.
 */
export function badgeWords(models: Model[] | undefined, isAdmin: boolean): BadgeWords | undefined {
  const speech = models?.find(({ task }) => task === "transcription");
  if (speech === undefined) return undefined;
  if (speech.state === "failed" || speech.state === "missing")
    return { words: t("badge.noSpeech"), tone: "warn" };
  const { fetch } = speech;
  if (fetch?.state === "running") {
    const percent = fetch.bytes_total > 0 ? (fetch.bytes_done / fetch.bytes_total) * 100 : 0;
    return { words: t("badge.fetching", { percent: Math.floor(percent) }), tone: "moving" };
  }
  if (speech.state === "starting") return { words: t("badge.starting"), tone: "moving" };
  const missing = isAdmin ? unavailable(models) : [];
  if (missing.length > 0) {
    const tasks = missing.map(({ title }) => title).join(", ");
    return { words: t("badge.missing", { tasks }), tone: "warn" };
  }
  return speech.label === null ? undefined : { words: speech.label, tone: "quiet" };
}
