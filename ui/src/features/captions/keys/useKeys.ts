import { useEffect } from "react";
import type { Editing } from "../editing";
import { usePanels } from "../panels/usePanels";
import { useEditorSettings } from "../settings/useEditorSettings";
import type { CommandContext, Handlers } from "./commands/context";
import { editingCommands } from "./commands/editing";
import { lineCommands } from "./commands/lines";
import { playbackCommands } from "./commands/playback";
import { toolCommands } from "./commands/tools";
import { commandOf, type Command } from "./keymap";

/** For audio, and where the probe found no frame rate: 25 frames per second. */
const USUAL_FRAME_MS = 40;
/** Commands that change captions; the others work on read-only lines too. */
const CHANGING = new Set<Command>([
  "setIn",
  "setOut",
  "split",
  "mergePrevious",
  "mergeNext",
  "addAbove",
  "addBelow",
  "remove",
  "undo",
  "redo",
]);

const within = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

interface Options {
  readOnly: boolean;
  /** Frames per second of the file; null for audio. */
  fps: number | null;
  onHelp: () => void;
}

/** The page's keys. They are off while a dialog or a menu is open, and buttons keep their Space and Enter. */
export function useKeys(editing: Editing, { readOnly, fps, onHelp }: Options): void {
  const panels = usePanels();
  const { settings } = useEditorSettings();
  useEffect(() => {
    const context: CommandContext = {
      editing,
      panels,
      frameMs: fps !== null && fps > 0 ? 1_000 / fps : USUAL_FRAME_MS,
      settings,
      onHelp,
    };
    const run: Handlers<Command> = {
      ...playbackCommands(context),
      ...lineCommands(context),
      ...editingCommands(context),
      ...toolCommands(context),
    };
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      // An input method is composing a character: its keys are not ours.
      if (event.isComposing || within(target, "[role=dialog], [role=menu]")) return;
      // The text box that a command opens is not rendered yet: letters typed after it are not commands.
      if (waitsForText(editing)) {
        event.preventDefault();
        return;
      }
      const typing = within(target, "input, textarea, select, [contenteditable]");
      const command = commandOf(event, typing ? "typing" : "list", {
        own: settings.keys,
        letters: settings.single_letters,
      });
      if (command === undefined) return;
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
      if (
        plain &&
        within(target, "button, a, [role=slider], [role=separator]") &&
        OWN.has(event.key)
      ) {
        return;
      }
      // Text boxes of a tool keep their own undo, and a line is not split from there.
      if (CHANGING.has(command) && typing && within(target, "[data-panel]")) return;
      event.preventDefault();
      // One press, one change: a held key must not delete or merge line after line.
      if (CHANGING.has(command) && (readOnly || event.repeat)) return;
      run[command](typing);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [editing, readOnly, fps, onHelp, panels, settings]);
}

function waitsForText(editing: Editing): boolean {
  const { caret } = editing.getFocus();
  if (caret === undefined || caret.at === "line") return false;
  return editing.store.get().captions.lines.some((line) => line.id === caret.id);
}

const OWN = new Set([" ", "Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);
