/** The effect of choosing another language, by how far the file is. */
import { t } from "../../platform/messages/processing";
import type { MediaFile } from "../../domain/files/data";

export interface Effect {
  explanation: string;
  /** What the button does. */
  verb: string;
  /** Choosing the current language would do nothing. */
  needsOther: boolean;
}

export function effectOf(file: Pick<MediaFile, "status" | "transcription_id">): Effect {
  const { status } = file;
  if (status === "uploading" || status === "waiting" || status === "processing") {
    return {
      explanation: t("languages.willTranscribe"),
      verb: t("languages.use"),
      needsOther: true,
    };
  }
  const again = file.transcription_id !== null;
  const kept = t("languages.captionsStay");
  if (status === "transcribing") {
    const begun = t("languages.startsOver");
    return {
      explanation: again ? `${begun} ${kept}` : begun,
      verb: t("languages.use"),
      needsOther: true,
    };
  }
  return again
    ? {
        explanation: t("languages.willTranscribeAgain", { kept }),
        verb: t("languages.transcribeAgain"),
        needsOther: false,
      }
    : {
        explanation: t("languages.willTranscribeIn"),
        verb: t("languages.transcribe"),
        needsOther: false,
      };
}
