/** What the editor holds at one moment, as values. */
import type { Captions, Line } from "../types";

/** What a person wrote or dragged and the server does not have yet. `base` is the line the writing began on. */
export interface Draft {
  base: Pick<Line, "text" | "start_ms" | "end_ms">;
  text?: string;
  start_ms?: number;
  end_ms?: number;
  /** The server has it, and cleaned it (spaces at the ends): it stays as typed while the person is at it. */
  sent?: boolean;
  /** Why the server refused it, for the person to correct. */
  problem?: string;
}

/** Two people changed one line. `theirs` is empty when the line is gone. */
export interface Conflict {
  id: string;
  mine: string;
  theirs: string | null;
  message: string;
  start_ms: number;
  end_ms: number;
}

export type SaveState =
  | { kind: "saved" }
  | { kind: "unsaved" }
  | { kind: "saving" }
  | { kind: "failed"; message: string }
  | { kind: "conflict"; conflict: Conflict };

export interface View {
  captions: Captions;
  drafts: ReadonlyMap<string, Draft>;
  save: SaveState;
}

export const isDirty = (draft: Draft, line: Line): boolean =>
  (draft.text !== undefined && draft.text !== line.text) ||
  (draft.start_ms !== undefined && draft.start_ms !== line.start_ms) ||
  (draft.end_ms !== undefined && draft.end_ms !== line.end_ms);

/** The line as the person sees it: what is saved, under what is not. */
export function shown(line: Line, draft: Draft | undefined): Line {
  if (draft === undefined) return line;
  return {
    ...line,
    text: draft.text ?? line.text,
    start_ms: draft.start_ms ?? line.start_ms,
    end_ms: draft.end_ms ?? line.end_ms,
  };
}

/** The lines after a change that the server confirmed, in order of time. Lines it did not touch stay the same objects. */
export function withSaved(lines: Line[], changed: Line[], removed: string[]): Line[] {
  if (changed.length === 0 && removed.length === 0) return lines;
  const gone = new Set([...removed, ...changed.map((line) => line.id)]);
  const next = lines.filter((line) => !gone.has(line.id));
  next.push(...changed);
  return next.sort((a, b) => a.start_ms - b.start_ms || a.end_ms - b.end_ms);
}
