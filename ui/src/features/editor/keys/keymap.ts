/** The editor's keys in one table: what they do, where they work, and how the overview names them. */
import { t as k } from "../../../platform/messages/editing";
import { t as s } from "../../../platform/messages/speakers";

import type { PanelId } from "../panels/panel";
import type { WordStyle } from "../../../domain/captions/types";

/** Opens a panel; a panel that is open already takes the focus. */
export type PanelCommand = `panel.${PanelId}`;

export type PlaybackCommand =
  | "toggle"
  | "back"
  | "forward"
  | "frameBack"
  | "frameForward"
  | "slower"
  | "faster"
  | "rollBack"
  | "playLine"
  | "loopLine"
  | "playFromLine"
  | "playLast"
  | "playAround"
  | "nextShot"
  | "previousShot"
  | "toggleShots"
  | "toggleSpeech"
  | "toggleSpectrogram"
  | "mute";

export type LineCommand =
  | "previous"
  | "next"
  | "edit"
  | "split"
  | "mergePrevious"
  | "mergeNext"
  | "addAbove"
  | "addBelow"
  | "remove"
  | "selectUp"
  | "selectDown"
  | "selectAll"
  | "tailToNext"
  | "headToPrevious"
  | "pullWord"
  | "pushWord"
  | "rebalance"
  | "lock"
  | "forced";

export type TimingCommand =
  | "setIn"
  | "setOut"
  | "setInNext"
  | "setOutNext"
  | "outAndNextIn"
  | "moveHere"
  | "extendToNext"
  | "startBack"
  | "startForward"
  | "endBack"
  | "endForward"
  | "lineBack"
  | "lineForward"
  | "edgeBack"
  | "edgeForward"
  | "addHere"
  | "addSign"
  | "snap"
  | "cascade"
  | "clock";

export type EditingCommand = WordStyle | "undo" | "redo" | "save" | "help";

export type ToolCommand =
  | "replace"
  | "findNext"
  | "findPrevious"
  | "nextFinding"
  | "previousFinding"
  | "nextReview"
  | "suggest"
  | "term"
  | "aiText"
  | "zoomIn"
  | "zoomOut"
  | PanelCommand;

const SPEAKER_NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** Says that the file's speaker of this number speaks the selected lines. */
export type SpeakerCommand = `speaker.${(typeof SPEAKER_NUMBERS)[number]}`;

export const SPEAKER_COMMANDS: readonly SpeakerCommand[] = SPEAKER_NUMBERS.map(
  (number) => `speaker.${number}` as const,
);

export type Command =
  | SpeakerCommand
  | PlaybackCommand
  | LineCommand
  | TimingCommand
  | EditingCommand
  | ToolCommand;

export interface Binding {
  command: Command;
  label: string;
  group: "Playback" | "Lines" | "Timing" | "Editing" | "Tools";
  /** Keys while no text box has the focus. */
  list: string[];
  /** Keys while typing. */
  typing: string[];
}

const key = (
  group: Binding["group"],
  command: Command,
  label: string,
  list: string[],
  typing: string[] = [],
): Binding => ({ command, label, group, list, typing });

export const KEYMAP: Binding[] = [
  key("Playback", "toggle", k("keymap.toggle"), ["Space"], ["Ctrl+Space", "Shift+Alt+Space"]),
  key("Playback", "back", k("keymap.back"), ["ArrowLeft"], ["Shift+Alt+J"]),
  key("Playback", "forward", k("keymap.forward"), ["ArrowRight"], ["Shift+Alt+L"]),
  key("Playback", "frameBack", k("keymap.frameBack"), [","]),
  key("Playback", "frameForward", k("keymap.frameForward"), ["."]),
  key("Playback", "slower", k("keymap.slower"), ["-"], ["Shift+Alt+-"]),
  key("Playback", "faster", k("keymap.faster"), ["="], ["Shift+Alt+="]),
  key("Playback", "rollBack", k("keymap.rollBack"), ["R"], ["Shift+Alt+R"]),
  key("Playback", "playLine", k("keymap.playLine"), ["P"], ["Shift+Alt+P"]),
  key("Playback", "loopLine", k("keymap.loopLine"), ["Shift+P"]),
  key("Playback", "playFromLine", k("timing.playFromLine"), ["Shift+Space"], ["Shift+Alt+F"]),
  key("Playback", "playLast", k("timing.playLast"), ["L"]),
  key("Playback", "playAround", k("timing.playAround"), ["Shift+L"]),
  key("Playback", "previousShot", k("timing.previousShot"), ["["]),
  key("Playback", "nextShot", k("timing.nextShot"), ["]"]),
  key("Playback", "toggleShots", k("timing.toggleShots"), ["H"]),
  key("Playback", "toggleSpeech", k("timing.toggleSpeech"), ["Shift+V"]),
  key("Playback", "toggleSpectrogram", k("timing.toggleSpectrogram"), ["Shift+H"]),
  key("Playback", "mute", k("keymap.mute"), ["V"]),
  key("Lines", "previous", k("keymap.previous"), ["ArrowUp"], ["Shift+Alt+W"]),
  key("Lines", "next", k("keymap.next"), ["ArrowDown"], ["Shift+Alt+S"]),
  key("Lines", "edit", k("keymap.edit"), ["Enter"]),
  key("Lines", "addAbove", k("keymap.addAbove"), [], ["Shift+Alt+Q"]),
  key("Lines", "addBelow", k("keymap.addBelow"), [], ["Shift+Alt+A"]),
  key("Lines", "split", k("keymap.split"), [], ["Ctrl+Enter"]),
  key("Lines", "mergePrevious", k("keymap.mergePrevious"), ["Shift+M"], ["Shift+Alt+N"]),
  key("Lines", "mergeNext", k("keymap.mergeNext"), ["M"], ["Shift+Alt+M"]),
  key("Lines", "remove", k("keymap.remove"), ["Delete"]),
  key("Editing", "italic", k("keymap.italic"), ["Ctrl+I"], ["Ctrl+I"]),
  key("Editing", "bold", k("keymap.bold"), ["Ctrl+B"], ["Ctrl+B"]),
  key("Editing", "underline", k("keymap.underline"), ["Ctrl+U"], ["Ctrl+U"]),
  key("Lines", "selectUp", k("timing.selectUp"), ["Shift+ArrowUp"]),
  key("Lines", "selectDown", k("timing.selectDown"), ["Shift+ArrowDown"]),
  key("Lines", "selectAll", k("timing.selectAll"), ["Ctrl+A"]),
  key("Lines", "pullWord", k("timing.pullWord"), [], ["Shift+Alt+ArrowUp"]),
  key("Lines", "pushWord", k("timing.pushWord"), [], ["Shift+Alt+ArrowDown"]),
  key("Lines", "tailToNext", k("timing.tailToNext"), [], ["Ctrl+Shift+Enter"]),
  key("Lines", "headToPrevious", k("timing.headToPrevious"), [], ["Ctrl+Alt+Enter"]),
  key("Lines", "rebalance", k("timing.rebalance"), ["B"], ["Shift+Alt+B"]),
  key("Lines", "lock", k("timing.lock"), ["K"], ["Shift+Alt+U"]),
  key("Lines", "forced", k("timing.forced"), []),
  key("Timing", "setIn", k("keymap.setIn"), ["I"], ["Shift+Alt+I"]),
  key("Timing", "setOut", k("keymap.setOut"), ["O"], ["Shift+Alt+O"]),
  key("Timing", "setInNext", k("timing.setInNext"), ["Shift+I"]),
  key("Timing", "setOutNext", k("timing.setOutNext"), ["U"]),
  key("Timing", "outAndNextIn", k("timing.outAndNextIn"), ["Shift+O"]),
  key("Timing", "moveHere", k("timing.moveHere"), ["Shift+U"]),
  key("Timing", "extendToNext", k("timing.extendToNext"), ["E"], ["Shift+Alt+E"]),
  key("Timing", "startBack", k("timing.startBack"), ["Q"]),
  key("Timing", "startForward", k("timing.startForward"), ["W"]),
  key("Timing", "endBack", k("timing.endBack"), ["Shift+Q"]),
  key("Timing", "endForward", k("timing.endForward"), ["Shift+W"]),
  key("Timing", "lineBack", k("timing.lineBack"), ["Z"]),
  key("Timing", "lineForward", k("timing.lineForward"), ["X"]),
  key("Timing", "edgeBack", k("timing.edgeBack"), ["A"]),
  key("Timing", "edgeForward", k("timing.edgeForward"), ["D"]),
  key("Timing", "addHere", k("timing.addHere"), ["N"]),
  key("Timing", "addSign", k("timing.addSign"), ["Shift+N"]),
  key("Timing", "snap", k("timing.snap"), ["S"]),
  key("Timing", "cascade", k("timing.cascade"), ["C"]),
  key("Timing", "clock", k("clock.toggle"), []),
  // Without Shift, digits in the list are the number of a line to go to.
  ...SPEAKER_NUMBERS.map((number) =>
    key(
      "Lines",
      `speaker.${number}`,
      s("speakerKey", { number }),
      [`Shift+${number}`, `Shift+Alt+${number}`],
      [`Shift+Alt+${number}`],
    ),
  ),
  key("Tools", "panel.timing", k("timing.panel"), ["T"]),
  key("Editing", "undo", k("keymap.undo"), ["Ctrl+Z"], ["Ctrl+Z"]),
  key("Editing", "redo", k("keymap.redo"), ["Ctrl+Shift+Z", "Ctrl+Y"], ["Ctrl+Shift+Z", "Ctrl+Y"]),
  key("Editing", "save", k("keymap.save"), ["Ctrl+S"], ["Ctrl+S"]),
  key("Tools", "panel.find", k("keymap.find"), ["Ctrl+F"], ["Ctrl+F"]),
  key("Tools", "replace", k("keymap.replace"), ["Ctrl+H"], ["Ctrl+H"]),
  key("Tools", "findNext", k("keymap.findNext"), ["F3"], ["F3"]),
  key("Tools", "findPrevious", k("keymap.findPrevious"), ["Shift+F3"], ["Shift+F3"]),
  key("Tools", "panel.quality", k("keymap.quality"), [], ["Shift+Alt+G"]),
  key("Tools", "nextFinding", k("keymap.nextFinding"), ["F8"], ["F8"]),
  key("Tools", "previousFinding", k("keymap.previousFinding"), ["Shift+F8"], ["Shift+F8"]),
  key("Tools", "nextReview", k("keymap.nextReview"), ["Ctrl+."], ["Ctrl+."]),
  key("Tools", "suggest", k("keymap.suggest"), [], ["Shift+Alt+K"]),
  key("Tools", "term", k("keymap.term"), ["G"], ["Shift+Alt+Y"]),
  key("Tools", "aiText", k("keymap.aiText"), ["Shift+T"], ["Shift+Alt+T"]),
  key("Tools", "zoomIn", k("keymap.zoomIn"), ["Shift+="]),
  key("Tools", "zoomOut", k("keymap.zoomOut"), ["Shift+-"]),
  key("Editing", "help", k("keymap.help"), ["?"]),
];

/** What the browser reports about a key press. */
export type Press = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey"
>;

const NAMES: Record<string, string> = {
  Space: "Space",
  Comma: ",",
  Period: ".",
  Minus: "-",
  Equal: "=",
};

/** A press as the table names it. Letters and digits are identified by their physical key, which Alt does not change. */
export function nameOf(press: Press): string {
  if (press.key === "?") return "?";
  const letter = /^(?:Key|Digit)([A-Z0-9])$/.exec(press.code)?.[1];
  const name = letter ?? NAMES[press.code] ?? press.key;
  const parts = [
    press.ctrlKey || press.metaKey ? "Ctrl" : "",
    press.shiftKey ? "Shift" : "",
    press.altKey ? "Alt" : "",
    name,
  ];
  return parts.filter((part) => part !== "").join("+");
}

/** The keys of a command, with a person's own in place of the keymap's. */
export type Keys = Pick<Binding, "list" | "typing">;

export type Where = "list" | "typing";

/** A person's own keys, as they are stored: by command, each name after `list:` or `typing:`. */
export type OwnKeys = Readonly<Record<string, readonly string[]>>;

export function keysOf({ command, list, typing }: Binding, own: OwnKeys): Keys {
  const held = own[command];
  if (held === undefined) return { list, typing };
  const named = (where: Where) =>
    held.filter((name) => name.startsWith(`${where}:`)).map((name) => name.slice(where.length + 1));
  return { list: named("list"), typing: named("typing") };
}

/** Keys with neither Ctrl nor Alt that write a character: WCAG 2.1.4 wants a way to turn them off. */
export const isSingleLetter = (name: string): boolean =>
  /^(Shift\+)?[^+\s]$/u.test(name) && name !== "?";

/** The command of a press, by where it happened. */
export function commandOf(
  press: Press,
  where: Where,
  { own = {}, letters = true }: { own?: OwnKeys; letters?: boolean } = {},
): Command | undefined {
  const name = nameOf(press);
  if (!letters && isSingleLetter(name)) return undefined;
  return KEYMAP.find((binding) => keysOf(binding, own)[where].includes(name))?.command;
}
