import type { t } from "../en/models";
import type { Translation } from "../messages";

export default {
  transcribeThisFileAgain: "Skrifa þessa skrá upp aftur?",
  transcribeTheseCountFilesAgain: "Skrifa þessar {count} skrár upp aftur?",
  aBetterModelIsReady: "Betra líkan er tilbúið",
  aBetterModelIsReadyLabel: "Betra líkan er tilbúið: {label}. {question}",
  theBuiltInEngineWorked:
    "Innbyggða vélin vann {files, plural, one {hana} other {þær}}: hún kann aðeins ensku og gerir oftar villur.",
  transcribeAgain: "Skrifa aftur upp",
  transcribeAllAgain: "Skrifa allt upp aftur",
  hideList: "Fela listann",
  selectFiles: "Velja skrár",
  notNow: "Ekki núna",
  oneOfThemHas: "Ein þeirra hefur",
  editedOfThemHave: "{edited} þeirra hafa",
  itHas: "Hún hefur",
  theyHave: "Þær hafa",
  whoseYourChangesTheyStay:
    "{whose} þínar breytingar: þær standa þar til nýju skjátextarnir eru komnir, ",
  andUndoInTheEditor: "og Afturkalla í ritlinum endurheimtir þær.",
  editedByYou: "breytt af þér",
  transcribeFilenameAgain: "Skrifa {fileName} upp aftur",
  notAvailableHereTasks: "Ekki í boði hér: {tasks}.",
  hideReasons: "Fela ástæður",
  showReasons: "Sýna ástæður",
  hideThisMessage: "Fela þessi skilaboð",
  downloadOfTheSpeechModel: "Niðurhal á talgreiningarlíkaninu {model}, {percent}%",
  weCouldNotStartThe: "Ekki tókst að byrja aftur á skránum",
  speechRecognition: "Talgreining",
} satisfies Translation<typeof t>;
