/**
 * What this browser keeps of a person's work, in IndexedDB: changes that wait to be saved, and the last state of the
 * files they had open. Every record begins with the person's id, and a sign-out deletes the database.
 */
import { openDB, type DBSchema, type IDBPDatabase } from "idb";
import { logError } from "../../platform/api/client";
import { onSignOut } from "../../platform/offline/atSignOut";
import type { JournalEntry, Journalled } from "../captions/store/exchange/journal";
import type { Captions, Line } from "../captions/types";
import { DATABASE, rememberKeeping } from "../../platform/offline/account";

/** Who, which track (its key in the cache), and which page wrote it. */
export type JournalKey = [account: string, track: string, page: string];

export interface Kept extends DBSchema {
  journals: { key: JournalKey; value: Omit<Journalled, "queue"> & { at: number } };
  /** The commands of a journal by their order. */
  commands: { key: [...JournalKey, order: number]; value: JournalEntry };
  copies: {
    key: [account: string, track: string];
    /** `captions` without lines, which have a store of their own. */
    value: {
      at: number;
      /** Earlier builds kept none. */
      form?: number;
      captions: Captions;
    };
  };
  lines: { key: [account: string, track: string, line: string]; value: Line };
  /** Other answers of the server, by their key in the cache. */
  answers: { key: [account: string, key: string]; value: { form?: number; value: unknown } };
}

export type Database = IDBPDatabase<Kept>;

/** `unavailable`: the browser keeps nothing, as some do in private windows. `full`: there is no room left. */
export type Keeping = "kept" | "full" | "unavailable";

/** Browsers have been seen to never answer a request to open a database. */
const OPENS_WITHIN_MS = 4_000;
const STORES = ["journals", "commands", "copies", "lines", "answers"] as const;

let keeping: Keeping = "kept";
let opening: Promise<Database | undefined> | undefined;
let erasures = 0;
let isReported = false;
const listeners = new Set<() => void>();

export const getKeeping = (): Keeping => keeping;

export function subscribeKeeping(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How often everything was erased. Who began to write before the last time writes nothing any more. */
export const erasureCount = (): number => erasures;

/** Whatever pages of this person still have open writes nothing any more. */
export const endJournals = (): void => void (erasures += 1);

/** The database, or undefined where the browser keeps nothing. Never throws. */
export function database(): Promise<Database | undefined> {
  opening ??= open().then((opened) => {
    // The next caller tries again.
    if (opened === undefined) opening = undefined;
    return opened;
  });
  return opening;
}

async function open(): Promise<Database | undefined> {
  try {
    const late = new Promise<never>((_, reject) =>
      setTimeout(() => reject(new DOMException(undefined, "TimeoutError")), OPENS_WITHIN_MS),
    );
    const opened = await Promise.race([
      openDB<Kept>(DATABASE, 1, {
        upgrade: (made) => STORES.forEach((name) => made.createObjectStore(name)),
        blocking: (_held, wanted, event) => {
          // Another page deletes it at a sign-out, or a newer build wants another version.
          if (wanted === null) erasures += 1;
          (event.target as IDBDatabase).close();
          opening = undefined;
        },
        terminated: () => (opening = undefined),
      }),
      late,
    ]);
    setKeeping("kept");
    rememberKeeping();
    return opened;
  } catch (error) {
    onKeepingFailure(error);
    return undefined;
  }
}

/** A write has worked. */
export const onKeepingSuccess = (): void => setKeeping("kept");

/** A read or write failed: the page is the only copy now, and says so. */
export function onKeepingFailure(error: unknown): void {
  const isFull = error instanceof DOMException && error.name === "QuotaExceededError";
  setKeeping(isFull ? "full" : "unavailable");
  if (!isReported) void logError(error, "journal");
  isReported = true;
}

function setKeeping(next: Keeping): void {
  if (next === keeping) return;
  keeping = next;
  for (const listener of listeners) listener();
}

/** All records whose keys begin with these parts. */
export const beginningWith = (...parts: string[]): IDBKeyRange =>
  IDBKeyRange.bound(parts, [...parts, []]);

/** What one page left, with its commands in order. */
export async function journalAt(held: Database, at: JournalKey): Promise<Journalled | undefined> {
  const tx = held.transaction(["journals", "commands"]);
  const [head, queue] = await Promise.all([
    tx.objectStore("journals").get(at),
    tx.objectStore("commands").getAll(beginningWith(...at)),
  ]);
  if (head === undefined) return undefined;
  return { ...head, queue };
}

onSignOut(endJournals);
