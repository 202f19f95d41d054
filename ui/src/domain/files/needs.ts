/** What a file waits for that a person has to give. */
import type { MediaFile } from "./data";

type Stopped = Pick<MediaFile, "error_code">;

/** A language that the loaded model supports. */
export const asksLanguage = (file: Stopped): boolean => file.error_code === "language_unsupported";

/** Enough minutes to transcribe it. */
export const waitsForMinutes = (file: Stopped): boolean => file.error_code === "quota_exceeded";
