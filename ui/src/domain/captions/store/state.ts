/** A snapshot of what the editor shows. */
import type { Captions, Line } from "../types";
import type { Closed } from "./exchange/failure";

/** A line's text as the person typed it, while the server's form of it (`clean`) differs by white space at most. */
export interface Typed {
  raw: string;
  clean: string;
  /** Why the server refused it, for the person to correct. */
  problem?: string;
}

/** A text that cannot be saved without a choice. `theirs` is null if the line was deleted. */
export interface Conflict {
  /** Somebody else changed it first, or the server refuses it. */
  cause: "changed" | "refused";
  /** Lines on the server that `mine` would replace, in order of time. */
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
  /**
   * `kept`: how many changes wait in this browser. `isAway`: the server could not be reached. `closed`: why these
   * captions take no changes, if they do not.
   */
  | { kind: "failed"; message: string; kept: number; isAway: boolean; closed: Closed | null }
  | { kind: "conflict"; conflict: Conflict };

export interface View {
  /** The captions with every command applied, whether the server has answered it or not. */
  captions: Captions;
  typed: ReadonlyMap<string, Typed>;
  /** An undo whose effect only the server knows is being sent: nothing can change until the answer. */
  locked: boolean;
  save: SaveState;
}

/** The text in the box of a line: as typed, while the line has the same text. */
export const textOf = (line: Line, typed: Typed | undefined): string =>
  typed?.clean === line.text ? typed.raw : line.text;
