/** Unsaved text of one file, kept by the browser so that a crash, a closed tab or an ended session loses nothing. */
import type { Draft } from "./state";

export interface Kept {
  id: string;
  text: string;
  base: Draft["base"];
}

export interface Journal {
  read: () => Kept[];
  write: (kept: Kept[]) => void;
}

const KEY = "sagascript.unsaved.";

export function browserJournal(slug: string): Journal {
  return {
    read: () => {
      try {
        const text = localStorage.getItem(KEY + slug);
        return text === null ? [] : (JSON.parse(text) as Kept[]);
      } catch {
        return [];
      }
    },
    write: (kept) => {
      try {
        if (kept.length === 0) localStorage.removeItem(KEY + slug);
        else localStorage.setItem(KEY + slug, JSON.stringify(kept));
      } catch {
        // Storage may be full or turned off: then the page itself is the only copy, as in any form.
      }
    },
  };
}
