/**
 * The journals of a track: one for each page that has it open, so that two tabs never write over each other. A page
 * also sends what closed pages of the same person left, one journal after the other, and takes over from a page that
 * closes while this one is open.
 */
import { newId } from "../captions/model/commands";
import type { Journal, JournalEntry, Journalled } from "../captions/store/exchange/journal";
import type { Captions } from "../captions/types";
import { CopyWriter } from "./copies";
import {
  beginningWith,
  journalAt,
  database,
  erasureCount,
  onKeepingSuccess,
  onKeepingFailure,
  type Database,
  type JournalKey,
} from "./database";
import { keepKey } from "./sealing";
import { holdLock, isClosed, whenClosed } from "../../platform/offline/pageLock";

/** Earlier versions kept one journal for each track here. */
const OLD_KEY = "sagascript.unsaved.2.";
/** As in the key of the cache that names a track (`keys.captions`). */
const TRACK = /^captions\/([^?]*)(?:\?(.*))?$/;

interface Left {
  journalled: Journalled;
  /** Where it is kept; a string is a key of the local storage. */
  at: JournalKey | string;
}

export interface OpenJournal extends Journal {
  /** Called when another page has closed and left something. */
  onLeft: () => void;
  /** Nothing is written after this. */
  close: () => void;
  /** It keeps nothing any more: the session of its person has ended. */
  isOver: () => boolean;
}

const MEMORY: OpenJournal = {
  read: () => undefined,
  write: () => undefined,
  onLeft: () => undefined,
  close: () => undefined,
  isOver: () => false,
};

/** The journal of a track for this page. Keeps nothing without an account or where the browser keeps nothing. */
export async function openJournal(
  account: string | undefined,
  track: string,
): Promise<OpenJournal> {
  const held = account === undefined ? undefined : await database();
  if (held === undefined || account === undefined) return { ...MEMORY };
  const journal = new BrowserJournal(held, account, track);
  await journal.open();
  void keepKey(account);
  return journal;
}

class BrowserJournal implements OpenJournal {
  onLeft: () => void = () => undefined;
  private readonly page = newId();
  private readonly closing = new AbortController();
  private readonly erasures = erasureCount();
  private readonly copies: CopyWriter;
  private left: Left[] = [];
  /** Journals of other pages whose changes this page has taken over, until its own journal holds them. */
  private taken: Left["at"][] = [];
  private written: (JournalEntry & { order: number })[] = [];
  private hasHead = false;
  private next = 0;

  constructor(
    private readonly database: Database,
    private readonly account: string,
    private readonly track: string,
  ) {
    this.copies = new CopyWriter(database, account, track, () => this.isOver());
  }

  async open(): Promise<void> {
    const { signal } = this.closing;
    await holdLock(this.page, signal);
    try {
      const pages = await this.database.getAllKeys(
        "journals",
        beginningWith(this.account, this.track),
      );
      for (const key of pages) {
        const page = key[2];
        if (await isClosed(page, signal)) await this.find(key);
        else whenClosed(page, signal, () => void this.find(key).then(() => this.onLeft()));
      }
    } catch (error) {
      onKeepingFailure(error);
    }
    this.findOld();
  }

  read(): Journalled | undefined {
    const first = this.left.shift();
    if (first === undefined) return undefined;
    this.taken.push(first.at);
    return first.journalled;
  }

  write(journalled: Journalled | undefined, server: Captions): void {
    if (this.isOver()) return;
    this.copies.write(server);
    if (journalled === undefined && !this.hasHead && this.taken.length === 0) return;
    const before = { written: this.written, hasHead: this.hasHead, taken: this.taken };
    try {
      // The whole transaction is handed over at once, so that it survives a page that closes now.
      const done = this.transact(journalled);
      done.then(onKeepingSuccess, (error: unknown) => {
        // What the database has is not certain: the next write repeats all of it.
        this.written = [];
        this.hasHead = true;
        this.taken = [...before.taken, ...this.taken];
        onKeepingFailure(error);
      });
    } catch (error) {
      Object.assign(this, before);
      onKeepingFailure(error);
    }
  }

  close(): void {
    this.closing.abort();
  }

  isOver(): boolean {
    return this.closing.signal.aborted || this.erasures !== erasureCount();
  }

  private transact(journalled: Journalled | undefined): Promise<void> {
    const own: JournalKey = [this.account, this.track, this.page];
    const tx = this.database.transaction(["journals", "commands"], "readwrite");
    const [heads, commands] = [tx.objectStore("journals"), tx.objectStore("commands")];
    // Errors of single requests end the transaction, whose promise is returned.
    const quietly = (request: Promise<unknown>) => void request.catch(() => undefined);
    if (journalled === undefined) {
      quietly(heads.delete(own));
      quietly(commands.delete(beginningWith(...own)));
      this.written = [];
    } else {
      const { queue, ...head } = journalled;
      quietly(heads.put({ ...head, at: Date.now() }, own));
      if (this.written.length === 0) quietly(commands.delete(beginningWith(...own)));
      const { put, gone, written } = changesOf(this.written, queue, this.next);
      for (const order of gone) quietly(commands.delete([...own, order]));
      for (const { order, command, sent } of put) {
        quietly(commands.put({ command, sent }, [...own, order]));
      }
      this.written = written;
      this.next = Math.max(this.next, ...put.map(({ order }) => order + 1));
    }
    this.hasHead = journalled !== undefined;
    const old: string[] = [];
    for (const at of this.taken) {
      if (typeof at === "string") old.push(at);
      else {
        quietly(heads.delete(at));
        quietly(commands.delete(beginningWith(...at)));
      }
    }
    this.taken = [];
    tx.commit();
    return tx.done.then(() => old.forEach((key) => localStorage.removeItem(key)));
  }

  /** Read what a closed page left. */
  private async find(at: JournalKey): Promise<void> {
    try {
      const journalled = await journalAt(this.database, at);
      if (journalled !== undefined) this.left.push({ journalled, at });
    } catch (error) {
      onKeepingFailure(error);
    }
  }

  /** What a version before the database left. Only that person was signed in: a sign-out clears it. */
  private findOld(): void {
    const [, slug = "", language] = TRACK.exec(this.track) ?? [];
    const at = OLD_KEY + (language === undefined ? slug : `${slug}.${language}`);
    try {
      const text = localStorage.getItem(at);
      if (text !== null) this.left.push({ journalled: JSON.parse(text) as Journalled, at });
    } catch {
      // Unreadable or turned off: there is nothing to take over.
    }
  }
}

/**
 * What to write so that the database has `queue`. Commands leave at the front and join at the end; a change in the
 * middle rewrites everything behind it. A new command gets the next order from `next` on.
 */
export function changesOf(
  written: readonly (JournalEntry & { order: number })[],
  queue: readonly JournalEntry[],
  next: number,
): {
  put: (JournalEntry & { order: number })[];
  gone: number[];
  written: (JournalEntry & { order: number })[];
} {
  const first = queue[0]?.command.id;
  const from = written.findIndex(({ command }) => command.id === first);
  const known = from < 0 ? [] : written.slice(from);
  const gone = (from < 0 ? written : written.slice(0, from)).map(({ order }) => order);
  const put: (JournalEntry & { order: number })[] = [];
  const now: (JournalEntry & { order: number })[] = [];
  let isSame = true;
  for (const [index, { command, sent }] of queue.entries()) {
    const held = known[index];
    isSame &&= held?.command.id === command.id;
    const entry = { command, sent, order: isSame && held !== undefined ? held.order : next++ };
    now.push(entry);
    const unchanged = isSame && held?.command === command && held.sent === sent;
    if (!unchanged) put.push(entry);
  }
  const used = new Set(now.map(({ order }) => order));
  gone.push(...known.map(({ order }) => order).filter((order) => !used.has(order)));
  return { put, gone, written: now };
}
