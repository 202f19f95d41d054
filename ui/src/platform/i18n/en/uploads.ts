import { messages } from "../messages";

export const t = messages("uploads", {
  uploads: "Uploads",
  yourFiles: "Your files",
  dropToUpload: "Drop to upload",
  dropVideoOrAudioHere: "Drop video or audio here",
  uploadsStartRightAwayAnd: "Uploads start right away and continue while you work on other pages.",
  limits:
    "Video and audio up to {hours, number} hours and {size}: MP4, MOV, MKV, WebM, MP3, WAV, FLAC and others.",
  tooLong: "“{name}” is longer than {hours, number} hours. Split it and upload the parts.",
  chooseFiles: "Choose files",
  filesToUpload: "Files to upload",
  uploadOfFilenameStoppedAt: "Upload of {filename}, stopped at {percent}%",
  bytesuploadedOfTotal: "{bytesUploaded} of {total} ·",
  choose: "Choose",
  discard: "Discard",
  discardFilename: "Discard {filename}",
  uploadFiles: "Upload files",
  spokenLanguage: "Spoken language",
  detectSpeakers: "Detect speakers",
  starting: "Starting…",
  sentOfTotalValue: "{sent} of {total}{value}",
  pausedAtPercent: "Paused at {percent}%",
  uploaded: "Uploaded",
  uploadOfFilenamePercent: "Upload of {fileName}, {percent}%",
  languageOfFilename: "Language of {fileName}",
  retryFilename: "Retry {fileName}",
  resume: "Resume",
  pause: "Pause",
  cancelFilename: "Cancel {fileName}",
  chooseTheSameFileTo: "Choose the same file to resume where it stopped.",
  thisBrowserCannotResumeIt:
    "This browser cannot resume it. Continue in the browser where you started, or choose the file to upload it from the beginning.",
  unableToFetchUploadToken: "Unable to fetch upload token",
  theConnectionWasLostEverything:
    "The connection was lost. Everything uploaded so far is safe. Try again to resume.",
});
