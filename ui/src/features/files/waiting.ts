/** What people read while they wait for a file: queue position, time left, next retry, or a stall. */
import type { MediaFile } from "./data";
import { timeLeft } from "./format";

type Waited = Pick<
  MediaFile,
  "queue_place" | "progress" | "eta_s" | "retry_at" | "attempt" | "stalled_s"
>;

const ORDINALS = [
  "Next",
  "Second",
  "Third",
  "Fourth",
  "Fifth",
  "Sixth",
  "Seventh",
  "Eighth",
  "Ninth",
  "Tenth",
];

const counted = (count: number, unit: string): string =>
  `${count} ${unit}${count === 1 ? "" : "s"}`;

/** A duration in words: "20 seconds", "4 minutes", "2 hours 5 minutes". */
export function spoken(seconds: number): string {
  if (seconds < 60) return counted(Math.max(1, Math.round(seconds)), "second");
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return counted(minutes, "minute");
  const rest = minutes % 60;
  const hours = counted(Math.floor(minutes / 60), "hour");
  return rest === 0 ? hours : `${hours} ${counted(rest, "minute")}`;
}

export function positionWords(position: number, eta_s: number | null): string {
  const where = ORDINALS[position - 1] ?? `Number ${position}`;
  if (eta_s === null) return `${where} in line`;
  const length = eta_s < 60 ? "less than a minute" : `about ${spoken(eta_s)}`;
  return `${where} in line, ${length}`;
}

export const stallWords = (stalled_s: number): string =>
  `No progress for ${spoken(stalled_s)}. We are still trying. You can also cancel and start again.`;

export function retryWords(retry_at: string, now: number): string {
  const seconds = (Date.parse(retry_at) - now) / 1000;
  return seconds < 1
    ? "That did not work. Trying again now."
    : `That did not work. Trying again in ${spoken(seconds)}.`;
}

/** One line: the next retry, the queue position, or percent and time left. */
export function progressWords(file: Waited, now: number = Date.now()): string {
  const { queue_place, progress, eta_s, retry_at, attempt } = file;
  if (retry_at !== null) return retryWords(retry_at, now);
  if (queue_place !== null) return positionWords(queue_place, eta_s);
  const again = attempt > 1 ? `Attempt ${attempt} · ` : "";
  return `${again}${progress}%${eta_s === null ? "" : ` · ${timeLeft(eta_s)}`}`;
}
