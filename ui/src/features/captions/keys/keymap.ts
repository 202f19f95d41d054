/** The editor's keys in one table: what they do, where they work, and how the overview names them. */
import { t } from "../../../i18n/en/timing";
import type { PanelId } from "../panels/registry";

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
  | "toggleShots";

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
  | "rebalance";

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
  | "snap"
  | "cascade";

export type EditingCommand = "undo" | "redo" | "save" | "help";

export type ToolCommand = "replace" | "findNext" | "findPrevious" | PanelCommand;

export type Command = PlaybackCommand | LineCommand | TimingCommand | EditingCommand | ToolCommand;

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
  key("Playback", "toggle", "Play or pause", ["Space"], ["Ctrl+Space", "Shift+Alt+Space"]),
  key("Playback", "back", "Back 1 s", ["ArrowLeft"], ["Shift+Alt+J"]),
  key("Playback", "forward", "Forward 1 s", ["ArrowRight"], ["Shift+Alt+L"]),
  key("Playback", "frameBack", "One frame back", [","]),
  key("Playback", "frameForward", "One frame forward", ["."]),
  key("Playback", "slower", "Slower", ["-"], ["Shift+Alt+-"]),
  key("Playback", "faster", "Faster", ["="], ["Shift+Alt+="]),
  key("Playback", "rollBack", "Roll back 15 s", ["R"], ["Shift+Alt+R"]),
  key("Playback", "playLine", "Play this line", ["P"], ["Shift+Alt+P"]),
  key("Playback", "loopLine", "Loop this line", ["Shift+P"]),
  key("Playback", "playFromLine", t("playFromLine"), ["Shift+Space"], ["Shift+Alt+F"]),
  key("Playback", "playLast", t("playLast"), ["L"]),
  key("Playback", "playAround", t("playAround"), ["Shift+L"]),
  key("Playback", "previousShot", t("previousShot"), ["["]),
  key("Playback", "nextShot", t("nextShot"), ["]"]),
  key("Playback", "toggleShots", t("toggleShots"), ["H"]),
  key("Lines", "previous", "Previous line", ["ArrowUp"], ["Shift+Alt+W"]),
  key("Lines", "next", "Next line", ["ArrowDown"], ["Shift+Alt+S"]),
  key("Lines", "edit", "Edit this line", ["Enter"]),
  key("Lines", "addAbove", "Add a line above", [], ["Shift+Alt+Q"]),
  key("Lines", "addBelow", "Add a line below", [], ["Shift+Alt+A"]),
  key("Lines", "split", "Split at the cursor", [], ["Ctrl+Enter"]),
  key("Lines", "mergePrevious", "Merge with previous", ["Shift+M"], ["Shift+Alt+N"]),
  key("Lines", "mergeNext", "Merge with next", ["M"], ["Shift+Alt+M"]),
  key("Lines", "remove", "Delete this line", ["Delete"]),
  key("Lines", "selectUp", t("selectUp"), ["Shift+ArrowUp"]),
  key("Lines", "selectDown", t("selectDown"), ["Shift+ArrowDown"]),
  key("Lines", "selectAll", t("selectAll"), ["Ctrl+A"]),
  key("Lines", "pullWord", t("pullWord"), [], ["Shift+Alt+ArrowUp"]),
  key("Lines", "pushWord", t("pushWord"), [], ["Shift+Alt+ArrowDown"]),
  key("Lines", "tailToNext", t("tailToNext"), [], ["Ctrl+Shift+Enter"]),
  key("Lines", "headToPrevious", t("headToPrevious"), [], ["Ctrl+Alt+Enter"]),
  key("Lines", "rebalance", t("rebalance"), ["B"], ["Shift+Alt+B"]),
  key("Timing", "setIn", "Set line start", ["I"], ["Shift+Alt+I"]),
  key("Timing", "setOut", "Set line end", ["O"], ["Shift+Alt+O"]),
  key("Timing", "setInNext", t("setInNext"), ["Shift+I"]),
  key("Timing", "setOutNext", t("setOutNext"), ["U"]),
  key("Timing", "outAndNextIn", t("outAndNextIn"), ["Shift+O"]),
  key("Timing", "moveHere", t("moveHere"), ["Shift+U"]),
  key("Timing", "extendToNext", t("extendToNext"), ["E"], ["Shift+Alt+E"]),
  key("Timing", "startBack", t("startBack"), ["Q"]),
  key("Timing", "startForward", t("startForward"), ["W"]),
  key("Timing", "endBack", t("endBack"), ["Shift+Q"]),
  key("Timing", "endForward", t("endForward"), ["Shift+W"]),
  key("Timing", "lineBack", t("lineBack"), ["Z"]),
  key("Timing", "lineForward", t("lineForward"), ["X"]),
  key("Timing", "snap", t("snap"), ["S"]),
  key("Timing", "cascade", t("cascade"), ["C"]),
  key("Tools", "panel.timing", t("panel"), ["T"]),
  key("Editing", "undo", "Undo", ["Ctrl+Z"], ["Ctrl+Z"]),
  key("Editing", "redo", "Redo", ["Ctrl+Shift+Z", "Ctrl+Y"], ["Ctrl+Shift+Z", "Ctrl+Y"]),
  key("Editing", "save", "Save now", ["Ctrl+S"], ["Ctrl+S"]),
  key("Tools", "panel.find", "Find", ["Ctrl+F"], ["Ctrl+F"]),
  key("Tools", "replace", "Replace", ["Ctrl+H"], ["Ctrl+H"]),
  key("Tools", "findNext", "Next match", ["F3"], ["F3"]),
  key("Tools", "findPrevious", "Previous match", ["Shift+F3"], ["Shift+F3"]),
  key("Editing", "help", "Show shortcuts", ["?"]),
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

/** A press as the table names it. Letters are identified by their physical key, which Alt does not change. */
export function nameOf(press: Press): string {
  if (press.key === "?") return "?";
  const letter = /^Key([A-Z])$/.exec(press.code)?.[1];
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
