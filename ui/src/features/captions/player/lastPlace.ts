/** Where a person was in each file, kept in this browser, so that a file opens there again. */

export interface Place {
  /** The selected line. */
  line: string | null;
  ms: number;
}

const KEY = "sagascript.places";
/** Files remembered; the longest unopened one is forgotten first. */
export const FILES_MAX = 50;

type Places = [slug: string, place: Place][];

/** The place in a file; undefined if it was not opened here, or the browser keeps nothing. */
export function lastPlace(slug: string, storage: Storage = localStorage): Place | undefined {
  return read(storage).find(([name]) => name === slug)?.[1];
}

export function keepPlace(slug: string, place: Place, storage: Storage = localStorage): void {
  const others = read(storage).filter(([name]) => name !== slug);
  try {
    storage.setItem(KEY, JSON.stringify([[slug, place], ...others].slice(0, FILES_MAX)));
  } catch {
    // A full or closed storage only means that the file opens at its beginning.
  }
}

function read(storage: Storage): Places {
  try {
    const held: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(held) ? held.filter(isEntry) : [];
  } catch {
    return [];
  }
}

const isEntry = (entry: unknown): entry is Places[number] =>
  Array.isArray(entry) &&
  typeof entry[0] === "string" &&
  typeof (entry[1] as Place | undefined)?.ms === "number";
