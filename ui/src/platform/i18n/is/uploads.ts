import type { t } from "../en/uploads";
import type { Translation } from "../messages";

export default {
  uploads: "Upphleðslur",
  yourFiles: "Skrárnar þínar",
  dropToUpload: "Slepptu til að hlaða upp",
  dropVideoOrAudioHere: "Slepptu mynd- eða hljóðskrá hér",
  uploadsStartRightAwayAnd: "Upphleðsla hefst strax og heldur áfram meðan þú vinnur á öðrum síðum.",
  limits:
    "Mynd og hljóð að {hours, number} klukkustundum og {size}: MP4, MOV, MKV, WebM, MP3, WAV, FLAC og fleira.",
  tooLong:
    "„{name}“ er lengri en {hours, number} klukkustundir. Skiptu skránni og hladdu upp hlutunum.",
  chooseFiles: "Velja skrár",
  filesToUpload: "Skrár til að hlaða upp",
  uploadOfFilenameStoppedAt: "Upphleðsla á {filename}, stöðvuð við {percent}%",
  bytesuploadedOfTotal: "{bytesUploaded} af {total} ·",
  choose: "Velja",
  discard: "Henda",
  discardFilename: "Henda {filename}",
  uploadFiles: "Hlaða upp skrám",
  spokenLanguage: "Talað tungumál",
  detectSpeakers: "Greina talendur",
  starting: "Byrja…",
  sentOfTotalValue: "{sent} af {total}{value}",
  pausedAtPercent: "Í bið við {percent}%",
  uploaded: "Hlaðið upp",
  uploadOfFilenamePercent: "Upphleðsla á {fileName}, {percent}%",
  languageOfFilename: "Tungumál: {fileName}",
  retryFilename: "Reyna {fileName} aftur",
  resume: "Halda áfram",
  pause: "Gera hlé",
  cancelFilename: "Hætta við {fileName}",
  chooseTheSameFileTo: "Veldu sömu skrá til að halda áfram þar sem stöðvað var.",
  thisBrowserCannotResumeIt:
    "Þessi vafri getur ekki haldið áfram með hana. Haltu áfram í vafranum þar sem þú byrjaðir eða veldu skrána til að hlaða henni upp frá byrjun.",
  unableToFetchUploadToken: "Ekki tókst að sækja upphleðsluheimild",
  theConnectionWasLostEverything:
    "Sambandið rofnaði. Allt sem þegar var hlaðið upp er öruggt. Reyndu aftur til að halda áfram.",
} satisfies Translation<typeof t>;
