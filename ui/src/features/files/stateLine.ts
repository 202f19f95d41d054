import { isWorking, type MediaFile } from "./data";
import { day, timeLeft } from "./format";

/** What the file is doing, in words: the error, the place in the queue, the phase with its time left, or its age. */
export function stateLine(file: MediaFile): string {
  if (!isWorking(file)) return file.error ?? day(file.created_at);
  if (file.queue_place !== null) {
    return file.queue_place === 1 ? "Next in the queue" : `Place ${file.queue_place} in the queue`;
  }
  const left = file.eta_s === null ? "" : ` · ${timeLeft(file.eta_s)}`;
  return `${file.progress} %${left}`;
}
