/** Unconfirmed commands of one track, kept in the browser, so that a crash or a closed tab loses nothing. */
import type { Command } from "../model/commands";
import type { Captions } from "../types";
import type { Conflict, Typed } from "./state";

export interface JournalEntry {
  command: Command;
  /** Sent at least once, so the server may have saved it. */
  sent: boolean;
}

export interface Journalled {
  /** The revision that the first command was based on. */
  revision: number;
  /** The texts of the touched lines on the server at that revision. */
  texts: Record<string, string>;
  queue: JournalEntry[];
  conflicts: Conflict[];
  /** Texts that the server refused and that are not corrected yet. */
  refused: [string, Typed][];
}

export interface Journal {
  /** What an earlier page left. Each call returns another one; undefined when there is none. */
  read: () => Journalled | undefined;
  /** `journalled` is undefined when everything is saved; `server` are the captions without it. */
  write: (journalled: Journalled | undefined, server: Captions) => void;
}
