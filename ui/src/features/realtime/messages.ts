/** The texts of the specification, sections 4 and 8, each once. */

export const CONNECTION_LOST =
  "We were unable to connect to the messaging service. You may need to refresh your browser";

export const texts = {
  tusCompleted: (name: string) => `'${name}' is uploaded and waiting for processing.`,
  tusFailed: (name: string) => `An error occurred when trying to preprocess the '${name}' video.`,
  uploadDispatched: (name: string) => `'${name}' is queued for preprocessing.`,
  uploadStarted: (name: string) => `Preprocessing '${name}'.`,
  uploadFailed: (name: string) => `Something broke while preprocessing your upload '${name}'. :S`,
  transcribeDispatched: () => "Preparing to transcribe your video.",
  transcribeStarted: () => "Started transcribing your video.",
  transcribeCompleted: () => "Your video transcription is ready.",
  transcribeFailed: () => "An error occurred while attempting to transcribe your video.",
  languageQuestion: (name: string) => `Which language is spoken in '${name}'?`,
  encodingFailed: (name: string) => `Something broke while processing your video '${name}'. :S`,
  exportStarted: (name: string) => `Exporting '${name}'.`,
  exportCompleted: (name: string) => `The export of '${name}' is ready.`,
  exportFailed: (name: string, language: string) =>
    `Something broke while trying to export '${name}' with ${language} subtitles. :S`,
  minutesDispatched: (name: string) => `AI text for '${name}' is queued.`,
  minutesStarted: (name: string) => `Writing AI text for '${name}'.`,
  minutesCompleted: (name: string) => `The AI text for '${name}' is ready.`,
  minutesFailed: (name: string) =>
    `A problem occurred when trying to generate AI text for '${name}'.`,
};
