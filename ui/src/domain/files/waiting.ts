/** What people read while they wait for a file: queue position, time left, next retry, or a stall. */
import { t } from "../../platform/messages/files";
import type { MediaFile } from "./data";
import { timeLeft } from "./format";

type Waited = Pick<
  MediaFile,
  "queue_place" | "progress" | "eta_s" | "retry_at" | "attempt" | "stalled_s"
>;

const ORDINALS = [
  t("next"),
  t("second"),
  t("third"),
  t("fourth"),
  t("fifth"),
  t("sixth"),
  t("seventh"),
  t("eighth"),
  t("ninth"),
  t("tenth"),
];

/** A duration in words: "20 seconds", "4 minutes", "2 hours 5 minutes". */
export function spoken(seconds: number): string {
  if (seconds < 60) return t("max", { max: Math.max(1, Math.round(seconds)) });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t("minutes", { minutes });
  const rest = minutes % 60;
  const hours = t("left.hours", { minutes: Math.floor(minutes / 60) });
  return rest === 0 ? hours : `${hours} ${t("rest", { rest })}`;
}

export function positionWords(position: number, eta_s: number | null): string {
  const where = ORDINALS[position - 1] ?? t("queue.number", { position });
  if (eta_s === null) return t("queue.where", { where });
  const length = eta_s < 60 ? t("queue.lessThanMinute") : t("aboutEtas", { etaS: spoken(eta_s) });
  return t("queue.whereFor", { where, length });
}

export const stallWords = (stalled_s: number): string =>
  t("stall.trying", { stalledS: spoken(stalled_s) });

export function retryWords(retry_at: string, now: number): string {
  const seconds = (Date.parse(retry_at) - now) / 1000;
  return seconds < 1 ? t("retry.now") : t("retry.in", { seconds: spoken(seconds) });
}

/** One line: the next retry, the queue position, or percent and time left. */
export function progressWords(file: Waited, now: number = Date.now()): string {
  const { queue_place, progress, eta_s, retry_at, attempt } = file;
  if (retry_at !== null) return retryWords(retry_at, now);
  if (queue_place !== null) return positionWords(queue_place, eta_s);
  const again = attempt > 1 ? t("attempt", { attempt }) : "";
  return `${again}${progress}%${eta_s === null ? "" : ` · ${timeLeft(eta_s)}`}`;
}
