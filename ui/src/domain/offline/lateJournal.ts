import type { OpenJournal } from "./journals";

/** A journal that is still being opened. */
export interface LateJournal extends OpenJournal {
  /** Null once it is open. */
  opening: Promise<void> | null;
}

/**
 * A journal that a store may have before it is open: opening takes the browser 0.1 to 0.5 s, and the first lines need
 * none. It holds nothing and keeps nothing until `opening` is over.
 */
export function lateJournal(journal: Promise<OpenJournal>): LateJournal {
  let open: OpenJournal | undefined;
  let isClosed = false;
  const late: LateJournal = {
    opening: journal.then((opened) => {
      open = opened;
      late.opening = null;
      opened.onLeft = () => late.onLeft();
      if (isClosed) opened.close();
    }),
    onLeft: () => undefined,
    read: () => open?.read(),
    write: (journalled, server) => open?.write(journalled, server),
    isOver: () => open?.isOver() ?? false,
    close: () => {
      isClosed = true;
      open?.close();
    },
  };
  return late;
}
