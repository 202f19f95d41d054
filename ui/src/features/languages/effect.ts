/** The effect of choosing another language, by how far the file is. */
import type { MediaFile } from "../files/data";

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
      explanation: "We will transcribe the file in this language as soon as it is ready.",
      verb: "Use",
      needsOther: true,
    };
  }
  const again = file.transcription_id !== null;
  const kept =
    "Your captions stay until the new ones are ready, and Undo in the editor brings them back.";
  if (status === "transcribing") {
    const begun = "Transcription will start over in this language.";
    return { explanation: again ? `${begun} ${kept}` : begun, verb: "Use", needsOther: true };
  }
  return again
    ? {
        explanation: `We will transcribe the file again. ${kept}`,
        verb: "Transcribe again",
        needsOther: false,
      }
    : {
        explanation: "We will transcribe the file in this language.",
        verb: "Transcribe",
        needsOther: false,
      };
}
