import type { MediaFile } from "./data";

/** Whether the file waits until the person chooses a language that the loaded model supports. */
export const asksLanguage = (file: Pick<MediaFile, "error_code">): boolean =>
  file.error_code === "language_unsupported";
