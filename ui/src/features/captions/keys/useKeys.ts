import { useEffect } from "react";
import type { Editing } from "../editing";
import { commandOf, type Command } from "./keymap";

const SECOND_MS = 1_000;
const FRAME_MS = 40;
const ROLL_BACK_MS = 15_000;
/** What changes captions; the rest works on read-only lines too. */
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

/** The keys of the page. They are off while a dialog or a menu is open, and a button keeps its own Space and Enter. */
export function useKeys(editing: Editing, readOnly: boolean, onHelp: () => void): void {
  useEffect(() => {
    const { playback, store } = editing;
    const run: Record<Command, (typing: boolean) => void> = {
      toggle: () => playback.toggle(),
      back: () => playback.nudge(-SECOND_MS),
      forward: () => playback.nudge(SECOND_MS),
      frameBack: () => playback.nudge(-FRAME_MS),
      frameForward: () => playback.nudge(FRAME_MS),
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
      split: () => void editing.split(),
      mergePrevious: () => void editing.merge(undefined, -1),
      mergeNext: () => void editing.merge(undefined, 1),
      addAbove: () => void editing.add(undefined, "before"),
      addBelow: () => void editing.add(undefined, "after"),
      remove: () => void editing.remove(),
      undo: () => void editing.undo(),
      redo: () => void editing.redo(),
      save: () => store.flush(),
      help: onHelp,
    };
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      if (within(target, "[role=dialog], [role=menu]")) return;
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
      event.preventDefault();
      if (!readOnly || !CHANGING.has(command)) run[command](typing);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [editing, readOnly, onHelp]);
}

const OWN = new Set([" ", "Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);
