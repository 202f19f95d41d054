/** What people read about a translation. */
import { t } from "../../platform/messages/processing";
import { timeLeft } from "../files/format";
import { positionWords, retryWords, stallWords } from "../files/waiting";
import type { LineFlag, Translation } from "./types";

type Progress = Pick<
  Translation,
  "state" | "lines_done" | "lines_total" | "eta_s" | "queue_place" | "retry_at" | "stalled_s"
>;

/** How far a translation is: the next retry, a stall, its queue position, or its lines and the time left. */
export function progressWords(translation: Progress, now: number = Date.now()): string {
  const { state, lines_done, lines_total, eta_s, queue_place, retry_at, stalled_s } = translation;
  if (retry_at !== null) return retryWords(retry_at, now);
  if (stalled_s !== null) return stallWords(stalled_s);
  if (state === "waiting") {
    return queue_place === null
      ? t("translations.state.waiting")
      : positionWords(queue_place, eta_s);
  }
  if (lines_total === 0) return t("translations.starting");
  const lines = t("translations.progress", { linesDone: lines_done, linesTotal: lines_total });
  return eta_s === null ? lines : `${lines} · ${timeLeft(eta_s)}`;
}

export const percentOf = ({
  lines_done,
  lines_total,
}: Pick<Translation, "lines_done" | "lines_total">): number =>
  lines_total === 0 ? 0 : Math.round((100 * lines_done) / lines_total);

type Summary = Progress & Pick<Translation, "lines" | "stale" | "flagged" | "error">;

/** One line about a translation for a list of languages. */
export function summaryWords(translation: Summary): string {
  const { state, lines, stale, flagged } = translation;
  if (state === "waiting" || state === "running") return progressWords(translation);
  if (state === "failed") return t("translations.state.failed");
  if (state === "cancelled" && lines === 0) return t("translations.cancelled");
  return [
    t("translations.lines", { lines }),
    stale > 0 ? t("translations.state.stale", { stale }) : "",
    flagged > 0 ? t("translations.toCheck", { flagged }) : "",
  ]
    .filter((word) => word !== "")
    .join(" · ");
}

/** Why a line needs a look: a short label, and what to do about it. */
export const FLAGS: Record<LineFlag, { label: string; advice: string }> = {
  too_fast: {
    label: t("translations.tooFast"),
    advice: t("translations.flag.noShorter"),
  },
  glossary_miss: {
    label: t("translations.glossary"),
    advice: t("translations.flag.term"),
  },
  number_changed: {
    label: t("translations.numberChanged"),
    advice: t("translations.flag.number"),
  },
  name_changed: {
    label: t("translations.nameChanged"),
    advice: t("translations.flag.name"),
  },
  tag_changed: {
    label: t("translations.tagChanged"),
    advice: t("translations.flag.tag"),
  },
  untranslated: {
    label: t("translations.notTranslated"),
    advice: t("translations.flag.untranslated"),
  },
  unsure: { label: t("translations.unsure"), advice: t("translations.flag.unsure") },
  fallback: {
    label: t("translations.simplerModel"),
    advice: t("translations.flag.simpler"),
  },
};
