import type { MediaFile } from "./data";

/** Whether the file waits until there are enough minutes to transcribe it. */
export const waitsForMinutes = (file: Pick<MediaFile, "error_code">): boolean =>
  file.error_code === "quota_exceeded";
