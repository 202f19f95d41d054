/** The effect of choosing another language, by how far the file is. */
import { t } from "../../platform/i18n/en/languages";
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
      explanation: t("weWillTranscribeTheFile"),
      verb: t("use"),
      needsOther: true,
    };
  }
  const again = file.transcription_id !== null;
  const kept = t("yourCaptionsStayUntilThe");
  if (status === "transcribing") {
    const begun = t("transcriptionWillStartOverIn");
    return { explanation: again ? `${begun} ${kept}` : begun, verb: t("use"), needsOther: true };
  }
  return again
    ? {
        explanation: t("weWillTranscribeTheFileAgain", { kept }),
        verb: t("transcribeAgain"),
        needsOther: false,
      }
    : {
        explanation: t("weWillTranscribeTheFileIn"),
        verb: t("transcribe"),
        needsOther: false,
      };
}
