import { waitsForMinutes } from "../../domain/files/needs";
import { t } from "../../platform/messages/files";
import { isWorking, type MediaFile } from "../../domain/files/data";
import { day } from "../../domain/files/format";
import { progressWords, stallWords } from "../../domain/files/waiting";

/** What the file is doing, in words: the error, a stall, the queue position, its progress, or its age. */
export function stateLine(file: MediaFile): string {
  if (!isWorking(file)) {
    // The card of a file that waits for minutes says why below, with what to do.
    const said = file.may_change && waitsForMinutes(file) ? null : file.error;
    if (said === null && file.lacks_speakers) return t("speakersNotDetected");
    return said ?? day(file.created_at);
  }
  return file.stalled_s === null ? progressWords(file) : stallWords(file.stalled_s);
}
