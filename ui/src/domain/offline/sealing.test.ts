/** A session ends at a browser that keeps somebody's work, and others come there. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { deleteDB, openDB } from "idb";
import { api, ApiError } from "../../platform/api/client";
import { hasSealed, keepsWork } from "../../platform/offline/account";
import { Browser, journalCount, kill, untilSaved, untilWritten } from "./browser.testing";
import { keepAnswer } from "./copies";
import { database } from "./database";
import { hasUnsaved, keepKey, sealOthers, unseal } from "./sealing";

const KEYS: Record<string, string> = { ada: btoa("a".repeat(32)), bob: btoa("b".repeat(32)) };
let browser: Browser;
let signedIn = "ada";

beforeEach(() => {
  browser = new Browser();
  signedIn = "ada";
  // Not by mocking the module: depending on the order of imports, `sealing.ts` gets the real one nevertheless.
  vi.spyOn(api, "GET").mockImplementation((() =>
    Promise.resolve({ data: { data: { key: KEYS[signedIn] } }, response: { ok: true } })) as never);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await browser.erase();
  await deleteDB("sagascript.sealed");
});

/** Everything in both databases that is no key, as text. */
async function readable(): Promise<string> {
  const all: unknown[] = [];
  for (const { name = "" } of await indexedDB.databases()) {
    const held = await openDB(name);
    for (const store of held.objectStoreNames)
      all.push(await held.getAllKeys(store), await held.getAll(store));
    held.close();
  }
  return JSON.stringify(all);
}

async function writeWithoutNetwork() {
  const { store, journal } = await browser.open("ada");
  await keepKey("ada");
  await keepAnswer("ada", "user", { name: "Ada Secret" });
  browser.table.before = () => new ApiError(401, "Sign in.");
  store.write("a", "My unsaved secret");
  store.flush();
  await untilWritten();
  expect(await readable()).toContain("My unsaved secret");
  return { store, journal };
}

it("nobody else can read it, and its person gets it back and saves it", async () => {
  const tab = await writeWithoutNetwork();
  await sealOthers(undefined);
  const text = await readable();
  expect(text).not.toContain("secret");
  expect(text).not.toContain("Secret");
  expect(text).not.toContain("three");
  expect(hasSealed()).toBe(true);
  expect(await hasUnsaved("ada")).toBe(true);
  expect(tab.journal.isOver()).toBe(true);
  await kill(tab);

  // Somebody else signs in and works here.
  signedIn = "bob";
  await unseal("bob");
  expect(await readable()).not.toContain("secret");
  expect(await hasUnsaved("bob")).toBe(false);

  signedIn = "ada";
  await unseal("ada");
  expect(hasSealed()).toBe(false);
  browser.table.before = undefined;
  const { store, journal } = await browser.open("ada");
  await untilSaved(store);
  expect(browser.table.texts[0]).toBe("My unsaved secret");
  journal.close();
  store.dispose();
});

it("another person's key does not open it", async () => {
  await kill(await writeWithoutNetwork());
  await sealOthers(undefined);
  signedIn = "bob";
  await unseal("ada");
  expect(await journalCount()).toBe(0);
});

it("whoever stays keeps all that is theirs", async () => {
  const tab = await writeWithoutNetwork();
  await sealOthers("ada");
  expect(tab.journal.isOver()).toBe(false);
  expect(await readable()).toContain("My unsaved secret");
  expect(await readable()).toContain("Ada Secret");
  await kill(tab);
});

it("where nothing can be encrypted, only what is not saved stays", async () => {
  const tab = await writeWithoutNetwork();
  await (await database())?.delete("answers", ["ada", "browser-key"]);
  await sealOthers(undefined);
  expect(await journalCount()).toBe(1);
  expect(await readable()).not.toContain("Ada Secret");
  expect(await (await database())?.count("lines")).toBe(0);
  expect(keepsWork()).toBe(true);
  await kill(tab);
});
