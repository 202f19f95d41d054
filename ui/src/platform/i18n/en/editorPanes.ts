import { messages } from "../messages";

/** The parts of the editor, as messages name them. */
export const t = messages("editorPanes", {
  player: "The player",
  linesPane: "The list of lines",
  waveform: "The waveform",
  transport: "Playback",
  dialogPane: "This dialog",
  toolbar: "The tool bar",
  trackBar: "The bar of languages",
  wordMenus: "The spelling menu",
  speakersPane: "The list of speakers",
  keysPane: "The list of keys",
  preview: "The caption preview",
  backToLine: "Back to the selected line",
});
