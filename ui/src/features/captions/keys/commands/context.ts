import type { SpeakersOfRows } from "../../../speakers/context";
import type { Editing } from "../../../editor/editing";
import type { Panels } from "../../../editor/panels/usePanels";
import type { EditorSettings } from "../../../editor/useEditorSettings";
import type { Command } from "../../../editor/keys/keymap";

/** What commands act on. */
export interface CommandContext {
  editing: Editing;
  panels: Panels;
  speakers: SpeakersOfRows;
  settings: EditorSettings;
  changeSettings: (patch: Partial<EditorSettings>) => void;
  /** Characters of a row at most, for the open captions. */
  maxRow: () => number;
  onHelp: () => void;
  /** Show or hide the AI texts. */
  onAiText: () => void;
  /** Stretch the waveform by one step, or shrink it. */
  onZoom: (by: 1 | -1) => void;
}

/** What each command of a group does; `typing` while a text box has the focus. */
export type Handlers<Group extends Command> = Record<Group, (typing: boolean) => void>;
