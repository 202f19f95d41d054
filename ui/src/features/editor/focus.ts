/** Where the focus is: in the text of a line, or on a line as a whole. */

/** A line to go to: a position in its text, its end, or the line itself, where single keys are commands. */
export interface CaretRequest {
  id: string;
  at: number | "end" | "line";
}

/** The current selection. */
export interface Focus {
  selected: string | null;
  /** Lines chosen together with the selected one; empty while only one is selected. */
  many: ReadonlySet<string>;
  menu: string | null;
  caret: CaretRequest | undefined;
}

/** The line whose text has the focus. */
export function typingIn(): string | undefined {
  const box = document.activeElement;
  if (!(box instanceof HTMLTextAreaElement)) return undefined;
  return box.closest<HTMLElement>("[data-line]")?.dataset.line;
}

/** The current or last caret position in a line's text. */
export function caretOf(id: string): number | undefined {
  const row = `[data-line="${CSS.escape(id)}"] textarea`;
  return document.querySelector<HTMLTextAreaElement>(row)?.selectionStart;
}

/** The part of a line's text that is, or was last, selected; empty at the caret. Undefined for lines out of view. */
export function lastSelectionOf(id: string): { start: number; end: number } | undefined {
  const row = `[data-line="${CSS.escape(id)}"] textarea`;
  const box = document.querySelector<HTMLTextAreaElement>(row);
  return box === null ? undefined : { start: box.selectionStart, end: box.selectionEnd };
}

/** The selected part of a line's text while somebody types there. */
export function selectionOf(id: string): { from: number; to: number } | undefined {
  if (typingIn() !== id) return undefined;
  const row = `[data-line="${CSS.escape(id)}"] textarea`;
  const box = document.querySelector<HTMLTextAreaElement>(row);
  return box === null ? undefined : { from: box.selectionStart, to: box.selectionEnd };
}

/** The end of what changed in the new text: where people look after an undo. */
export function endOfChange(old: string, now: string): number {
  const most = Math.min(old.length, now.length);
  let before = 0;
  while (before < most && old[before] === now[before]) before += 1;
  let after = 0;
  while (after < most - before && old.at(-1 - after) === now.at(-1 - after)) after += 1;
  return now.length - after;
}
