import type { t } from "../en/editorPanes";
import type { Translation } from "../messages";

export default {
  player: "Spilarinn",
  linesPane: "Línulistinn",
  waveform: "Hljóðbylgjan",
  transport: "Spilun",
  dialogPane: "Þessi gluggi",
  toolbar: "Verkfærastikan",
  trackBar: "Tungumálastikan",
  wordMenus: "Stafsetningarvalmyndin",
  speakersPane: "Listi talenda",
  keysPane: "Listi flýtilykla",
  preview: "Forskoðun skjátexta",
  backToLine: "Aftur í völdu línuna",
} satisfies Translation<typeof t>;
