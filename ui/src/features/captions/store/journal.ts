/** Unconfirmed commands of one file, kept in the browser, so that a crash or a closed tab loses nothing. */
import { logError } from "../../../api/client";
import type { Command } from "../model/commands";
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
  read: () => Journalled | undefined;
  /** Undefined when everything is saved. */
  write: (journalled: Journalled | undefined) => void;
}

const KEY = "sagascript.unsaved.2.";

export function browserJournal(slug: string): Journal {
  let reported = false;
  const report = (error: unknown) => {
    // Storage may be full or disabled. The page is then the only copy; one report is enough.
    if (!reported) void logError(error, "journal");
    reported = true;
  };
  return {
    read: () => {
      try {
        const text = localStorage.getItem(KEY + slug);
        return text === null ? undefined : (JSON.parse(text) as Journalled);
      } catch (error) {
        report(error);
        return undefined;
      }
    },
    write: (journalled) => {
      try {
        if (journalled === undefined) localStorage.removeItem(KEY + slug);
        else localStorage.setItem(KEY + slug, JSON.stringify(journalled));
      } catch (error) {
        report(error);
      }
    },
  };
}
