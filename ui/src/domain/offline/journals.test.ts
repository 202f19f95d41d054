import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { eventually } from "../../platform/eventually.testing";
import { newId } from "../captions/model/commands";
import { offline, texts } from "../captions/store/bench.testing";
import type { Table } from "../captions/store/table.testing";
import { DATABASE } from "../../platform/offline/account";
import { Browser, kill, journalCount, untilSaved, TRACK, untilWritten } from "./browser.testing";
import { erasureCount, getKeeping } from "./database";
import { openJournal } from "./journals";

let browser: Browser;
let table: Table;
let page: Browser["open"];
beforeEach(() => {
  browser = new Browser();
  ({ table, open: page } = browser);
});
afterEach(() => browser.erase());

describe("changes that could not be sent", () => {
  it("are sent in order after the browser was killed", async () => {
    table.before = offline;
    const first = await page();
    const tail = newId();
    first.store.write("a", "one one");
    first.store.run({ action: "Split", line: "a", content: "one one", at: 4, newLine: tail });
    first.store.write(tail, "more");
    first.store.run({ action: "Delete", line: "b" });
    first.store.run({ action: "Undo" });
    // Typed, and not even complete when the browser dies.
    first.store.write("c", "thr");
    first.store.write("c", "three!");
    await kill(first);
    table.before = undefined;
    const { store } = await page();
    await untilSaved(store);
    expect(table.texts).toEqual(["one", "more", "two", "three!"]);
    expect(texts(store)).toEqual(table.texts);
    expect(table.sent.map(({ action }) => action)).toEqual([
      ...["Edit", "Split", "Edit", "Delete", "Undo", "Edit"],
    ]);
    await eventually(async () => expect(await journalCount()).toBe(0));
  });

  it("of two tabs are all sent by the next one", async () => {
    table.before = offline;
    const [first, second] = [await page(), await page()];
    first.store.write("a", "from the first");
    second.store.write("b", "from the second");
    await kill(first, second);
    table.before = undefined;
    const { store } = await page();
    await eventually(() =>
      expect(table.texts).toEqual(["from the first", "from the second", "three"]),
    );
    await untilSaved(store);
    expect(browser.problems).toEqual([]);
  });

  it("of two tabs in one line become a question", async () => {
    table.before = offline;
    const [first, second] = [await page(), await page()];
    first.store.write("a", "eins");
    second.store.write("a", "uno");
    await kill(first, second);
    table.before = undefined;
    const { store } = await page();
    await eventually(() => expect(store.get().save.kind).toBe("conflict"));
    const { save } = store.get();
    if (save.kind !== "conflict") throw new Error(save.kind);
    expect([save.conflict.mine, save.conflict.theirs].sort()).toEqual(["eins", "uno"]);
    store.resolve("mine");
    await untilSaved(store);
    expect(table.texts[0]).toBe(save.conflict.mine);
  });

  it("of a tab that is still open are left to it, until it closes", async () => {
    table.before = offline;
    const first = await page();
    first.store.write("a", "mine");
    first.store.flush();
    await untilWritten();
    table.before = undefined;
    const { store } = await page();
    await untilWritten();
    expect(table.sent).toEqual([]);
    await kill(first);
    await eventually(() => expect(table.texts[0]).toBe("mine"));
    await untilSaved(store);
    expect(texts(store)[0]).toBe("mine");
  });

  it("are sent once more under the same id when both tabs take them", async () => {
    vi.stubGlobal("navigator", {});
    table.before = offline;
    const first = await page();
    first.store.write("a", "mine");
    first.store.flush();
    await untilWritten();
    table.before = undefined;
    const { store } = await page();
    await untilSaved(store);
    first.store.retry();
    await untilSaved(first.store);
    expect(table.sent.map(({ command }) => command)).toHaveLength(2);
    expect(new Set(table.sent.map(({ command }) => command)).size).toBe(1);
    expect(table.revision).toBe(1);
  });

  it("are never sent for somebody else", async () => {
    table.before = offline;
    const first = await page("ada");
    first.store.write("a", "of Ada");
    await kill(first);
    table.before = undefined;
    const other = await page("bob");
    await untilWritten();
    expect(other.store.get().save.kind).toBe("saved");
    expect(table.sent).toEqual([]);
    const again = await page("ada");
    await untilSaved(again.store);
    expect(table.texts[0]).toBe("of Ada");
  });

  it("are erased by a sign-out, also those of other tabs, which write no more", async () => {
    table.before = offline;
    const first = await page();
    first.store.write("a", "secret");
    await untilWritten();
    const before = erasureCount();
    indexedDB.deleteDatabase(DATABASE);
    await eventually(() => expect(erasureCount()).toBe(before + 1));
    first.store.write("a", "secret too");
    await untilWritten();
    browser.locks.closePages();
    expect(await journalCount()).toBe(0);
    expect((await page()).store.get().save.kind).toBe("saved");
  });

  it("are taken from where earlier versions kept them", async () => {
    const command = { id: newId(), action: "Edit", line: "a", content: "from before" };
    const old = { revision: 0, texts: { a: "one" }, conflicts: [], refused: [] };
    const former = "sagascript.unsaved.2.talk";
    browser.storage.set(former, JSON.stringify({ ...old, queue: [{ command, sent: false }] }));
    const { store } = await page();
    await untilSaved(store);
    expect(table.texts[0]).toBe("from before");
    await eventually(() => expect(browser.storage.has(former)).toBe(false));
  });
});

it("says that it keeps nothing when there is no room, and keeps all once there is", async () => {
  table.before = offline;
  const { store } = await page();
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("no room", "QuotaExceededError");
  });
  store.write("a", "mine");
  await eventually(() => expect(getKeeping()).toBe("full"));
  expect(texts(store)[0]).toBe("mine");
  put.mockRestore();
  store.write("a", "mine again");
  await eventually(() => expect(getKeeping()).toBe("kept"));
  expect(await journalCount()).toBe(1);
});

it("keeps nothing where the browser has no database", async () => {
  const { store } = await page("ada", "captions/without");
  expect(store.get().captions.lines).toHaveLength(3);
  const nobody = await openJournal(undefined, TRACK);
  nobody.write(undefined, table.captions());
  expect(nobody.read()).toBeUndefined();
});
