/** Activity beside a file's own status: exports, and the copy for browsers. It does not change the status. */
import type { MediaFile } from "./data";

type Busy = Pick<MediaFile, "status" | "exports" | "playback">;

/** A few words such as "Exporting 40%"; null when nothing is running. */
export function activityOf(file: Busy): string | null {
  const running = file.exports.filter((one) => one.status === "progressing");
  const [first] = running;
  if (first !== undefined) {
    const what = running.length === 1 ? "Exporting" : `Exporting ${running.length} videos,`;
    const progress = running.reduce((sum, one) => sum + one.progress, 0) / running.length;
    return `${what} ${Math.round(progress)}%`;
  }
  if (file.exports.some((one) => one.status === "submitted")) return "Export queued";
  if (file.status === "completed" && file.playback.status === "preparing") {
    return `Preparing playback ${file.playback.progress}%`;
  }
  return null;
}
