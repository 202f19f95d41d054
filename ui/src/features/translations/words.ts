/** What people read about a translation. */
import { timeLeft } from "../files/format";
import { positionWords, retryWords, stallWords } from "../files/waiting";
import type { LineFlag, Translation } from "./types";

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

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
    return queue_place === null ? "Waiting to start" : positionWords(queue_place, eta_s);
  }
  if (lines_total === 0) return "Starting";
  const lines = `${lines_done.toLocaleString("en")} of ${counted(lines_total, "line")}`;
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
  if (state === "failed") return "Not finished: an error occurred";
  if (state === "cancelled" && lines === 0) return "Cancelled";
  return [
    counted(lines, "line"),
    stale > 0 ? `${stale.toLocaleString("en")} out of date` : "",
    flagged > 0 ? `${flagged.toLocaleString("en")} to check` : "",
  ]
    .filter((word) => word !== "")
    .join(" · ");
}

/** Why a line needs a look: a short label, and what to do about it. */
export const FLAGS: Record<LineFlag, { label: string; advice: string }> = {
  too_fast: {
    label: "Too fast",
    advice: "No shorter translation was found. Shorten the text or make the line longer.",
  },
  glossary_miss: {
    label: "Glossary",
    advice: "A term of the glossary is not translated as the glossary says.",
  },
  number_changed: {
    label: "Number changed",
    advice: "A number of the original is missing or different here.",
  },
  name_changed: {
    label: "Name changed",
    advice: "A name of the original is missing or spelled differently here.",
  },
  tag_changed: {
    label: "Tag changed",
    advice: "A tag of the original, such as a sound in brackets, is missing or different here.",
  },
  untranslated: {
    label: "Not translated",
    advice: "The model returned the original. Translate this line yourself.",
  },
  unsure: { label: "Unsure", advice: "The model was less sure of this line than of most others." },
  fallback: {
    label: "Simpler model",
    advice: "The chosen model returned nothing usable, so a simpler one translated this line.",
  },
};
