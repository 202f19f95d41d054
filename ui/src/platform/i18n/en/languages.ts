import { messages } from "../messages";

export const t = messages("languages", {
  other: "Other…",
  spokenLanguage: "Spoken language",
  languageOfFilename: "Language of {fileName}",
  chooseALanguage: "Choose a language",
  cancel: "Cancel",
  detected: "Detected",
  changeLanguageOfFilename: "Change language of {fileName}",
  change: "Change",
  whichLanguageIsSpoken: "Which language is spoken?",
  otherLanguageForFilename: "Other language for {fileName}",
  otherLanguage: "Other language",
  noMatchingLanguage: "No matching language.",
  weWillTranscribeTheFile: "We will transcribe the file in this language as soon as it is ready.",
  use: "Use",
  yourCaptionsStayUntilThe:
    "Your captions stay until the new ones are ready, and Undo in the editor brings them back.",
  transcriptionWillStartOverIn: "Transcription will start over in this language.",
  weWillTranscribeTheFileAgain: "We will transcribe the file again. {kept}",
  transcribeAgain: "Transcribe again",
  weWillTranscribeTheFileIn: "We will transcribe the file in this language.",
  transcribe: "Transcribe",
  found: "{found, plural, one {# language} other {# languages}}",
  countNotSupportedByThe: "{count}, not supported by the loaded model.",
  countPressEnterToChoose: "{count}. Press Enter to choose {firstLabel}.",
});
