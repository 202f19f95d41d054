/** What the editor shows at one moment, as values. */
import type { Captions, Line } from "../types";

/** A line's text as the person typed it, while the server's form of it (`clean`) differs by white space at most. */
export interface Typed {
  raw: string;
  clean: string;
  /** Why the server refused it, for the person to correct. */
  problem?: string;
}

/** What the person wrote cannot simply be saved. `theirs` is null when the line is gone. */
export interface Conflict {
  /** Somebody else was first, or the server will not save it. */
  cause: "changed" | "refused";
  /** Lines of the server that mine would replace, in order of time. */
  ids: string[];
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
  /** The captions with every command applied, whether the server has answered it or not. */
  captions: Captions;
  typed: ReadonlyMap<string, Typed>;
  /** An undo whose effect only the server knows is on its way: nothing can be changed until it answers. */
  locked: boolean;
  save: SaveState;
}

/** The text in the box of a line: as it was typed, as long as the line says the same. */
export const textOf = (line: Line, typed: Typed | undefined): string =>
  typed?.clean === line.text ? typed.raw : line.text;
