import { useEffect } from "react";
import type { Editing } from "../editing";
import { findNext } from "../find/findNext";
import type { PanelId } from "../panels/registry";
import { usePanels } from "../panels/usePanels";
import { commandOf, type Command, type PanelCommand } from "./keymap";

const SECOND_MS = 1_000;
/** For audio, and where the probe found no frame rate: 25 frames per second. */
const USUAL_FRAME_MS = 40;
const ROLL_BACK_MS = 15_000;
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

const PANEL = "panel.";
const isPanelCommand = (command: Command): command is PanelCommand => command.startsWith(PANEL);

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
  const { open } = usePanels();
  useEffect(() => {
    const frameMs = fps !== null && fps > 0 ? 1_000 / fps : USUAL_FRAME_MS;
    const { playback, store } = editing;
    const run: Record<Exclude<Command, PanelCommand>, (typing: boolean) => void> = {
      toggle: () => playback.toggle(),
      back: () => playback.nudge(-SECOND_MS),
      forward: () => playback.nudge(SECOND_MS),
      frameBack: () => playback.nudge(-frameMs),
      frameForward: () => playback.nudge(frameMs),
      slower: () => playback.stepRate(-1),
      faster: () => playback.stepRate(1),
      rollBack: () => playback.nudge(-ROLL_BACK_MS),
      previous: (typing) => void editing.step(-1, typing ? "typing" : "list"),
      next: (typing) => void editing.step(1, typing ? "typing" : "list"),
      edit: () => editing.goInto(),
      playLine: () => editing.play(),
      loopLine: () => editing.play(undefined, true),
      setIn: () => editing.setEdge("start_ms"),
      setOut: () => editing.setEdge("end_ms"),
      split: () => editing.split(),
      mergePrevious: () => editing.merge(undefined, -1),
      mergeNext: () => editing.merge(undefined, 1),
      addAbove: () => editing.add(undefined, "before"),
      addBelow: () => editing.add(undefined, "after"),
      remove: () => editing.remove(),
      undo: () => void editing.undo(),
      redo: () => void editing.redo(),
      save: () => store.flush(),
      replace: () => open("find", { ...selectedText(), into: "replacement" }),
      findNext: () => void (findNext(editing, 1) || open("find")),
      findPrevious: () => void (findNext(editing, -1) || open("find")),
      help: onHelp,
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
      const command = commandOf(event, typing ? "typing" : "list");
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
      if (isPanelCommand(command)) {
        open(command.slice(PANEL.length) as PanelId, selectedText());
        return;
      }
      // One press, one change: a held key must not delete or merge line after line.
      if (CHANGING.has(command) && (readOnly || event.repeat)) return;
      run[command](typing);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [editing, readOnly, fps, onHelp, open]);
}

/** The text marked in a line, which is what somebody opens the search for. */
function selectedText(): Record<string, string> {
  const box = document.activeElement;
  if (!(box instanceof HTMLTextAreaElement) || box.closest("[data-line]") === null) return {};
  const text = box.value.slice(box.selectionStart, box.selectionEnd);
  return text === "" || text.includes("\n") ? {} : { text };
}

function waitsForText(editing: Editing): boolean {
  const { caret } = editing.getFocus();
  if (caret === undefined || caret.at === "line") return false;
  return editing.store.get().captions.lines.some((line) => line.id === caret.id);
}

const OWN = new Set([" ", "Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);
