/**
 * When a session ends otherwise than by a sign-out, the next person at this browser must not read what it keeps. Copies of
 * captions are deleted: their person gets them from the server again. Text that is not saved yet is encrypted with a key
 * that only the server gives out, and only to a session of its person; the browser forgets it here.
 *
 * Browsers have no encryption on addresses without TLS. There the unsaved text, and nothing else, stays as it is.
 */
import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from "idb";
import { api, logError, unwrap } from "../../platform/api/client";
import type { Journalled } from "../captions/store/exchange/journal";
import { forgetKeeping, rememberSealed } from "../../platform/offline/account";
import {
  beginningWith,
  database,
  endJournals,
  journalAt,
  type Database,
  type JournalKey,
} from "./database";

const NAME = "sagascript.sealed";
/** Among the answers of the person. */
const KEY = "browser-key";
const DAY_MS = 86_400_000;
/** Whoever does not come back for their text for so long does not get it. */
export const SEALED_DAYS = 90;
const TEXTS = "texts";

interface SealedText {
  at: number;
  iv: Uint8Array<ArrayBuffer>;
  bytes: ArrayBuffer;
}

interface Sealed extends DBSchema {
  texts: { key: JournalKey; value: SealedText };
}

const openSealed = (): Promise<IDBPDatabase<Sealed>> =>
  openDB<Sealed>(NAME, 1, { upgrade: (made) => void made.createObjectStore(TEXTS) });

/** Have the person's key at hand for the end of their session, which may come without a warning. Never throws. */
export async function keepKey(account: string): Promise<void> {
  const held = await database();
  if (held === undefined || !canEncrypt()) return;
  try {
    if ((await held.get("answers", [account, KEY])) === undefined) await fetchKey(held, account);
  } catch {
    // The next file that is opened tries again.
  }
}

// TypeScript's types leave out that it is missing at addresses without TLS.
const canEncrypt = (): boolean => (globalThis.crypto as Partial<Crypto>).subtle !== undefined;

async function fetchKey(held: Database, account: string): Promise<CryptoKey> {
  const { data } = await unwrap(api.GET("/api/user/browser-key"));
  const bytes = Uint8Array.from(atob(data.key), (letter) => letter.charCodeAt(0));
  // The page itself cannot read it out again.
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  await held.put("answers", { value: key }, [account, KEY]);
  return key;
}

const keptKey = async (held: Database, account: string): Promise<CryptoKey | undefined> =>
  (await held.get("answers", [account, KEY]))?.value as CryptoKey | undefined;

/** Make what is kept of everybody but `stays` unreadable. May be repeated after it was interrupted. */
export async function sealOthers(stays: string | undefined): Promise<void> {
  const held = await database();
  if (held === undefined) return;
  if (stays === undefined) endJournals();
  const journals = (await held.getAllKeys("journals")).filter(([whose]) => whose !== stays);
  const sealed: JournalKey[] = [];
  for (const at of journals) if (await seal(held, at)) sealed.push(at);
  const tx = held.transaction(["journals", "commands", "copies", "lines", "answers"], "readwrite");
  for (const at of sealed) {
    void tx.objectStore("journals").delete(at);
    void tx.objectStore("commands").delete(beginningWith(...at));
  }
  for (const name of ["copies", "lines", "answers"] as const) {
    const store = tx.objectStore(name);
    for (const key of await store.getAllKeys())
      if (key[0] !== stays) void store.delete(key as never);
  }
  await tx.done;
  if (stays === undefined && sealed.length === journals.length) forgetKeeping();
}

/** Returns whether the journal is now kept encrypted, and may go. */
async function seal(held: Database, at: JournalKey): Promise<boolean> {
  const key = await keptKey(held, at[0]);
  const journalled = await journalAt(held, at);
  if (journalled === undefined) return true;
  if (key === undefined) return false;
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(JSON.stringify(journalled));
  const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, text);
  const sealed = await openSealed();
  await sealed.put(TEXTS, { at: Date.now(), iv, bytes }, at);
  sealed.close();
  rememberSealed(true);
  return true;
}

/** Give a person back what was sealed for them: it is theirs to save again. Throws where the server gives no key. */
export async function unseal(account: string): Promise<void> {
  const held = await database();
  if (held === undefined || !canEncrypt()) return;
  const sealed = await openSealed();
  try {
    const own = await sealed.getAllKeys(TEXTS, beginningWith(account));
    if (own.length > 0) {
      const key = await fetchKey(held, account);
      for (const at of own) {
        const text = await sealed.get(TEXTS, at);
        if (text !== undefined) await putBack(held, at, await decrypt(key, text));
        await sealed.delete(TEXTS, at);
      }
    }
    await forgetOld(sealed);
  } finally {
    sealed.close();
  }
}

async function decrypt(key: CryptoKey, { iv, bytes }: SealedText): Promise<Journalled | undefined> {
  try {
    const text = await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, bytes);
    return JSON.parse(new TextDecoder().decode(text)) as Journalled;
  } catch (error) {
    // The installation has other secrets now, so nobody can read it any more.
    void logError(error, "unseal");
    return undefined;
  }
}

async function putBack(held: Database, at: JournalKey, journalled?: Journalled): Promise<void> {
  if (journalled === undefined) return;
  const { queue, ...head } = journalled;
  const tx = held.transaction(["journals", "commands"], "readwrite");
  void tx.objectStore("journals").put({ ...head, at: Date.now() }, at);
  queue.forEach((entry, order) => void tx.objectStore("commands").put(entry, [...at, order]));
  await tx.done;
}

async function forgetOld(sealed: IDBPDatabase<Sealed>): Promise<void> {
  const oldest = Date.now() - SEALED_DAYS * DAY_MS;
  for (const at of await sealed.getAllKeys(TEXTS)) {
    const text = await sealed.get(TEXTS, at);
    if (text !== undefined && text.at < oldest) await sealed.delete(TEXTS, at);
  }
  if ((await sealed.count(TEXTS)) > 0) return;
  rememberSealed(false);
  sealed.close();
  await deleteDB(NAME);
}

/** Whether text of this person waits in this browser to be saved. */
export async function hasUnsaved(account: string): Promise<boolean> {
  const sealed = await openSealed();
  const count = await sealed.count(TEXTS, beginningWith(account));
  sealed.close();
  if (count > 0) return true;
  const held = await database();
  return ((await held?.count("journals", beginningWith(account))) ?? 0) > 0;
}
