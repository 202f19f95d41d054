/** One browser with its database, locks and storage, whose tabs edit the same captions. */
import "fake-indexeddb/auto";
import { expect, vi } from "vitest";
import { EditorStore } from "../captions/store/EditorStore";
import { Table } from "../captions/store/table.testing";
import { DATABASE } from "../../platform/offline/account";
import { database, erasureCount } from "./database";
import { openJournal, type OpenJournal } from "./journals";
import { Locks } from "../../platform/offline/locks.testing";

export const TRACK = "captions/talk";

interface Tab {
  store: EditorStore;
  journal: OpenJournal;
}

export class Browser {
  readonly table = new Table();
  readonly locks = new Locks();
  readonly problems: string[] = [];
  readonly storage = new Map<string, string>();

  constructor() {
    vi.stubGlobal("navigator", { locks: this.locks });
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => this.storage.get(key) ?? null,
      setItem: (key: string, value: string) => this.storage.set(key, value),
      removeItem: (key: string) => this.storage.delete(key),
    });
  }

  /** The editor in a tab of its own. */
  open = async (account = "ada", track = TRACK, captions = this.table.captions()): Promise<Tab> => {
    const journal = await openJournal(account, track);
    const { load, save } = this.table;
    const onProblem = (message: string) => this.problems.push(message);
    const hooks = { onProblem, onSaved: () => undefined };
    const store = new EditorStore(captions, { load: () => load(), save }, journal, hooks);
    journal.onLeft = () => store.resume();
    return { store, journal };
  };

  async erase(): Promise<void> {
    this.locks.closePages();
    await database();
    const before = erasureCount();
    indexedDB.deleteDatabase(DATABASE);
    await vi.waitFor(() => expect(erasureCount()).toBeGreaterThan(before));
    vi.unstubAllGlobals();
  }
}

/** The tabs are killed: they write nothing more, and their locks are free. */
export async function kill(...tabs: Tab[]): Promise<void> {
  await untilWritten();
  for (const { store, journal } of tabs) {
    journal.close();
    store.dispose();
  }
  await untilWritten();
}

export const untilWritten = () => new Promise((resolve) => setTimeout(resolve, 20));

export const untilSaved = (store: EditorStore) =>
  vi.waitFor(() => expect(store.get().save.kind).toBe("saved"), { timeout: 5_000 });

/** How many journals the browser keeps. */
export const journalCount = async () => (await (await database())?.count("journals")) ?? 0;
