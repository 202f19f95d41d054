import { useCallback, useEffect, useMemo } from "react";
import type { Editing } from "../../editor/editing";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { usePanels } from "../../editor/panels/usePanels";
import { useEditorSettings } from "../../editor/useEditorSettings";
import type { CommandContext, Handlers } from "./commands/context";
import { editingCommands } from "./commands/editing";
import { lineCommands } from "./commands/lines";
import { playbackCommands } from "./commands/playback";
import { speakerCommands } from "./commands/speakers";
import { timingCommands } from "./commands/timing";
import { toolCommands } from "./commands/tools";
import type { SpeakersOfRows } from "../../speakers/context";
import { rulesFor } from "../../../domain/captions/times";
import { t } from "../../../platform/messages/editor";
import { toast } from "../../../platform/notices/toast";
import { LineNumber } from "./LineNumber";
import { useOfferedCommands } from "./useOfferedCommands";
import { commandOf, type Command } from "../../editor/keys/keymap";

/** Until the product's own numbers are there. */
const USUAL_ROW = 42;
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
  "italic",
  "bold",
  "underline",
  "tailToNext",
  "headToPrevious",
  "rebalance",
  "lock",
  "forced",
  "setInNext",
  "setOutNext",
  "outAndNextIn",
  "moveHere",
  "extendToNext",
  "addHere",
  "addSign",
  "undo",
  "redo",
]);

/** Commands that change captions by a little, which a held key may repeat. */
const STEADY = new Set<Command>([
  "startBack",
  "startForward",
  "endBack",
  "endForward",
  "lineBack",
  "lineForward",
  "edgeBack",
  "edgeForward",
  "pullWord",
  "pushWord",
]);

const TEXT_BOX = "input, textarea, select, [contenteditable]";

const isChanging = (command: Command): boolean =>
  CHANGING.has(command) || command.startsWith("speaker.");

const within = (target: EventTarget | null, selector: string): boolean =>
  target instanceof Element && target.closest(selector) !== null;

interface Options {
  readOnly: boolean;
  /** False for people who may only look: a key that would change something tells them. */
  mayChange: boolean;
  speakers: SpeakersOfRows;
  onHelp: () => void;
  onAiText: () => void;
  onZoom: (by: 1 | -1) => void;
  onExport: (() => void) | undefined;
  onTranslate: (() => void) | undefined;
}

/** The page's keys. They are off while a dialog or a menu is open, and buttons keep their Space and Enter. */
export function useKeys(editing: Editing, options: Options): void {
  const { readOnly, mayChange, speakers, onHelp, onAiText, onZoom, onExport, onTranslate } =
    options;
  const panels = usePanels();
  const { settings, change } = useEditorSettings();
  const config = usePublicConfig();
  const run = useMemo((): Handlers<Command> => {
    const context: CommandContext = {
      editing,
      panels,
      speakers,
      settings,
      changeSettings: change,
      maxRow: () =>
        config === undefined
          ? USUAL_ROW
          : rulesFor(config, editing.store.get().captions.language).max_row,
      onHelp,
      onAiText,
      onZoom,
    };
    return {
      ...playbackCommands(context),
      ...lineCommands(context),
      ...timingCommands(context),
      ...editingCommands(context),
      ...toolCommands(context),
      ...speakerCommands(context),
    };
  }, [editing, panels, speakers, settings, change, config, onHelp, onAiText, onZoom]);
  const count = speakers.speakers.length;
  const isOffered = useCallback(
    (command: Command) => {
      const number = /^speaker\.(\d)$/.exec(command)?.[1];
      if (number !== undefined && Number(number) > count) return false;
      return !readOnly || (!isChanging(command) && !STEADY.has(command));
    },
    [readOnly, count],
  );
  const perform = useCallback(
    (command: Command) => run[command](within(document.activeElement, TEXT_BOX)),
    [run],
  );
  useOfferedCommands({ isOffered, perform, onExport, onTranslate });
  useEffect(() => {
    const number = new LineNumber((wanted) => editing.goToNumber(wanted));
    const refuse = () => {
      if (!mayChange) toast("warning", t("readOnlyKey"));
    };
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      // An input method is composing a character: its keys are not ours.
      if (event.isComposing || within(target, "[role=dialog], [role=menu]")) return;
      // Letters meant for a line that could not be added are neither text nor commands.
      if (editing.refused !== null && !MODIFIERS.has(event.key)) {
        if (isWriting(event)) {
          event.preventDefault();
          if (!event.repeat) toast("warning", editing.refused);
          return;
        }
        editing.refused = null;
      }
      // The text box that a command opens is not rendered yet: letters typed after it are not commands.
      if (waitsForText(editing)) {
        event.preventDefault();
        return;
      }
      const typing = within(target, TEXT_BOX);
      const bare = !event.ctrlKey && !event.metaKey && !event.altKey;
      const command = commandOf(event, typing ? "typing" : "list", {
        own: settings.keys,
        letters: settings.single_letters,
      });
      // A digit that somebody gave to a command begins no number.
      const counts = bare && settings.single_letters && (number.isOpen || command === undefined);
      if (!typing && counts && number.press(event.key)) {
        event.preventDefault();
        return;
      }
      if (command === undefined) {
        if (writes(event)) refuse();
        return;
      }
      if (
        bare &&
        within(target, "button, a, [role=slider], [role=separator]") &&
        OWN.has(event.key)
      ) {
        return;
      }
      // Text boxes of a tool keep their own undo, and a line is not split from there.
      if (isChanging(command) && typing && within(target, "[data-panel]")) return;
      event.preventDefault();
      // One press, one change: a held key must not delete or merge line after line.
      if (
        (isChanging(command) && (readOnly || event.repeat)) ||
        (STEADY.has(command) && readOnly)
      ) {
        refuse();
        return;
      }
      run[command](typing);
    };
    const onPointer = () => (editing.refused = null);
    window.addEventListener("keydown", onKey);
    window.addEventListener("pointerdown", onPointer);
    return () => {
      number.stop();
      window.removeEventListener("pointerdown", onPointer);
      window.removeEventListener("keydown", onKey);
    };
  }, [editing, readOnly, mayChange, run, settings]);
}

function waitsForText(editing: Editing): boolean {
  const { caret } = editing.getFocus();
  if (caret === undefined || caret.at === "line") return false;
  return editing.store.get().captions.lines.some((line) => line.id === caret.id);
}

/** Whether a key writes into the text of a line. */
function writes(event: KeyboardEvent): boolean {
  const { target, key, ctrlKey, metaKey } = event;
  if (!(target instanceof HTMLTextAreaElement) || !within(target, "[data-line]")) return false;
  return ctrlKey || metaKey ? key === "v" || key === "x" : isWriting(event);
}

const isWriting = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && ([...key].length === 1 || WRITING.has(key));

const MODIFIERS = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock"]);

const WRITING = new Set(["Backspace", "Delete", "Enter"]);

const OWN = new Set([" ", "Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);
