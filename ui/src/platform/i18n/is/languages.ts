import type { t } from "../en/languages";
import type { Translation } from "../messages";

export default {
  other: "Annað…",
  spokenLanguage: "Talað tungumál",
  languageOfFilename: "Tungumál: {fileName}",
  chooseALanguage: "Veldu tungumál",
  cancel: "Hætta við",
  detected: "Greint",
  changeLanguageOfFilename: "Skipta um tungumál: {fileName}",
  change: "Breyta",
  whichLanguageIsSpoken: "Hvaða tungumál er talað?",
  otherLanguageForFilename: "Annað tungumál: {fileName}",
  otherLanguage: "Annað tungumál",
  noMatchingLanguage: "Ekkert tungumál passar.",
  weWillTranscribeTheFile: "Við skrifum skrána upp á þessu tungumáli um leið og hún er tilbúin.",
  use: "Nota",
  yourCaptionsStayUntilThe:
    "Skjátextarnir þínir standa þar til þeir nýju eru tilbúnir og Afturkalla í ritlinum endurheimtir þá.",
  transcriptionWillStartOverIn: "Uppskriftin byrjar upp á nýtt á þessu tungumáli.",
  weWillTranscribeTheFileAgain: "Við skrifum skrána upp aftur. {kept}",
  transcribeAgain: "Skrifa aftur upp",
  weWillTranscribeTheFileIn: "Við skrifum skrána upp á þessu tungumáli.",
  transcribe: "Skrifa upp",
  found: "{found, plural, one {# tungumál} other {# tungumál}}",
  countNotSupportedByThe: "{count}, ekki studd af hlaðna líkaninu.",
  countPressEnterToChoose: "{count}. Ýttu á Enter til að velja {firstLabel}.",
} satisfies Translation<typeof t>;
