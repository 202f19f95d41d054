import { Suspense, useEffect, useState } from "react";
import type { Editing } from "../../editor/editing";
import { useTrackOfRows } from "../lines/trackContext";
import { spellingOf } from "./Spelling";
import { useSpellingCheck } from "./useSpelling";
import type { WordSpot } from "./WordMenu";
import { wordAtCaret, wordsOf } from "./words";
import { part } from "../../../platform/failure/Later";
import { useEditor } from "../../editor/context";
import { takesText } from "../../editor/editorState";

const WordMenu = part(() => import("./WordMenu"));

/** The event by which the key of the suggestions asks for the menu of the word at the caret. */
const SUGGEST = "sagascript:suggest";

/** Open the menu of the unknown word at the caret, if there is one. */
export const suggestAtCaret = (): void => void window.dispatchEvent(new Event(SUGGEST));

/** Opens the menu of an unknown word: by the right mouse button on it, or by a key with the caret in it. */
export function WordMenus() {
  const { editing, state } = useEditor();
  const readOnly = !takesText(state);
  const [spot, setSpot] = useState<WordSpot>();
  const { language } = useTrackOfRows();
  useSpellingCheck(editing, language ?? "", readOnly);

  useEffect(() => {
    if (readOnly) return;
    const onMouse = (event: MouseEvent) => {
      if (event.target instanceof HTMLTextAreaElement && event.shiftKey) return;
      const found = spotAt(editing, event.target, { x: event.clientX, y: event.clientY });
      if (found === undefined) return;
      event.preventDefault();
      setSpot(found);
    };
    const onKey = () => {
      const found = spotAt(editing, document.activeElement);
      if (found !== undefined) setSpot(found);
    };
    window.addEventListener("contextmenu", onMouse);
    window.addEventListener(SUGGEST, onKey);
    return () => {
      window.removeEventListener("contextmenu", onMouse);
      window.removeEventListener(SUGGEST, onKey);
    };
  }, [editing, readOnly]);

  return (
    <Suspense fallback={null}>
      {spot !== undefined && (
        <WordMenu spot={spot} editing={editing} onClose={() => setSpot(undefined)} />
      )}
    </Suspense>
  );
}

/** The unknown word at the caret of a line's text box, shown at the pointer or below the box. */
function spotAt(
  editing: Editing,
  box: EventTarget | null,
  pointer?: { x: number; y: number },
): WordSpot | undefined {
  if (!(box instanceof HTMLTextAreaElement)) return undefined;
  const line = box.closest<HTMLElement>("[data-line]")?.dataset["line"];
  if (line === undefined) return undefined;
  const text = box.value;
  const at = wordAtCaret(wordsOf(text), box.selectionStart);
  if (at === undefined || !spellingOf(editing).isWrong(at.word)) return undefined;
  const { left, bottom } = box.getBoundingClientRect();
  return { line, text, at, ...(pointer ?? { x: left + 12, y: bottom }) };
}
