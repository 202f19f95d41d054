import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../captions/model/commands";
import { offline, texts } from "../captions/store/bench.testing";
import { EditorStore } from "../captions/store/EditorStore";
import { line, Table } from "../captions/store/table.testing";
import { DATABASE, rememberAccount } from "./account";
import { answerFor, COPIES_MAX, keepAnswer } from "./copies";
import { database, erasureCount, getKeeping } from "./database";
import { changesOf, openJournal, type OpenJournal } from "./journals";
import { Locks } from "./locks.testing";

const TRACK = "captions/talk";
let table: Table;
let locks: Locks;
let problems: string[];

const storage = new Map<string, string>();
beforeEach(() => {
  table = new Table();
  locks = new Locks();
  problems = [];
  storage.clear();
  vi.stubGlobal("navigator", { locks });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  });
});
afterEach(async () => {
  locks.closePages();
  await database();
  const before = erasureCount();
  indexedDB.deleteDatabase(DATABASE);
  await vi.waitFor(() => expect(erasureCount()).toBeGreaterThan(before));
  vi.unstubAllGlobals();
});

interface Page {
  store: EditorStore;
  journal: OpenJournal;
}

/** The editor in a tab of its own. */
async function page(account = "ada", track = TRACK, captions = table.captions()): Promise<Page> {
  const journal = await openJournal(account, track);
  const store = new EditorStore(captions, { load: () => table.load(), save: table.save }, journal, {
    onProblem: (message) => problems.push(message),
    onSaved: () => undefined,
  });
  journal.onLeft = () => store.resume();
  return { store, journal };
}

/** The browser is killed: its pages write nothing more, and their locks are free. */
async function kill(...pages: Page[]): Promise<void> {
  await written();
  for (const { store, journal } of pages) {
    journal.close();
    store.dispose();
  }
  await written();
}

const written = () => new Promise((resolve) => setTimeout(resolve, 20));
const saved = (store: EditorStore) =>
  vi.waitFor(() => expect(store.get().save.kind).toBe("saved"), { timeout: 5_000 });
const left = async () => (await (await database())?.count("journals")) ?? 0;

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
    await saved(store);
    expect(table.texts).toEqual(["one", "more", "two", "three!"]);
    expect(texts(store)).toEqual(table.texts);
    expect(table.sent.map(({ action }) => action)).toEqual([
      ...["Edit", "Split", "Edit", "Delete", "Undo", "Edit"],
    ]);
    await vi.waitFor(async () => expect(await left()).toBe(0));
  });

  it("of two tabs are all sent by the next one", async () => {
    table.before = offline;
    const [first, second] = [await page(), await page()];
    first.store.write("a", "from the first");
    second.store.write("b", "from the second");
    await kill(first, second);
    table.before = undefined;
    const { store } = await page();
    await vi.waitFor(() =>
      expect(table.texts).toEqual(["from the first", "from the second", "three"]),
    );
    await saved(store);
    expect(problems).toEqual([]);
  });

  it("of two tabs in one line become a question", async () => {
    table.before = offline;
    const [first, second] = [await page(), await page()];
    first.store.write("a", "eins");
    second.store.write("a", "uno");
    await kill(first, second);
    table.before = undefined;
    const { store } = await page();
    await vi.waitFor(() => expect(store.get().save.kind).toBe("conflict"));
    const { save } = store.get();
    if (save.kind !== "conflict") throw new Error(save.kind);
    expect([save.conflict.mine, save.conflict.theirs].sort()).toEqual(["eins", "uno"]);
    store.resolve("mine");
    await saved(store);
    expect(table.texts[0]).toBe(save.conflict.mine);
  });

  it("of a tab that is still open are left to it, until it closes", async () => {
    table.before = offline;
    const first = await page();
    first.store.write("a", "mine");
    first.store.flush();
    await written();
    table.before = undefined;
    const { store } = await page();
    await written();
    expect(table.sent).toEqual([]);
    await kill(first);
    await vi.waitFor(() => expect(table.texts[0]).toBe("mine"));
    await saved(store);
    expect(texts(store)[0]).toBe("mine");
  });

  it("are sent once more under the same id when both tabs take them", async () => {
    vi.stubGlobal("navigator", {});
    table.before = offline;
    const first = await page();
    first.store.write("a", "mine");
    first.store.flush();
    await written();
    table.before = undefined;
    const { store } = await page();
    await saved(store);
    first.store.retry();
    await saved(first.store);
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
    await written();
    expect(other.store.get().save.kind).toBe("saved");
    expect(table.sent).toEqual([]);
    const again = await page("ada");
    await saved(again.store);
    expect(table.texts[0]).toBe("of Ada");
  });

  it("are erased by a sign-out, also those of other tabs, which write no more", async () => {
    table.before = offline;
    const first = await page();
    first.store.write("a", "secret");
    await written();
    const before = erasureCount();
    indexedDB.deleteDatabase(DATABASE);
    await vi.waitFor(() => expect(erasureCount()).toBe(before + 1));
    first.store.write("a", "secret too");
    await written();
    locks.closePages();
    expect(await left()).toBe(0);
    expect((await page()).store.get().save.kind).toBe("saved");
  });

  it("are taken from where earlier versions kept them", async () => {
    const command = { id: newId(), action: "Edit", line: "a", content: "from before" };
    const old = { revision: 0, texts: { a: "one" }, conflicts: [], refused: [] };
    storage.set(
      "sagascript.unsaved.2.talk",
      JSON.stringify({ ...old, queue: [{ command, sent: false }] }),
    );
    const { store } = await page();
    await saved(store);
    expect(table.texts[0]).toBe("from before");
    await vi.waitFor(() => expect(storage.size).toBe(0));
  });
});

describe("a copy of the captions", () => {
  const copy = () => answerFor(TRACK) as Promise<ReturnType<Table["captions"]> | undefined>;
  beforeEach(() => rememberAccount("ada"));

  it("follows what the server has, and takes what waits on top", async () => {
    const first = await page();
    first.store.write("a", "saved");
    first.store.flush();
    await saved(first.store);
    first.store.run({ action: "Delete", line: "c" });
    await saved(first.store);
    table.before = offline;
    first.store.write("b", "waits");
    await kill(first);
    const held = await copy();
    expect(held?.lines.map(({ text }) => text)).toEqual(["saved", "two"]);
    expect(held?.revision).toBe(2);
    // The page opens without a network, and can be edited.
    const second = await page("ada", TRACK, held);
    expect(texts(second.store)).toEqual(["saved", "waits"]);
    expect(second.store.get().locked).toBe(false);
    second.store.write("a", "saved later");
    await vi.waitFor(() => expect(second.store.get().save.kind).toBe("failed"));
    table.before = undefined;
    second.store.retry();
    await saved(second.store);
    expect(table.texts).toEqual(["saved later", "waits"]);
  });

  it("older than the journal is brought up to date before anything is compared", async () => {
    const held = table.captions();
    table.others({ action: "Edit", line: "b", content: "theirs" });
    const first = await page();
    table.before = offline;
    first.store.write("a", "mine");
    await kill(first);
    table.before = undefined;
    const { store } = await page("ada", TRACK, held);
    await saved(store);
    expect(texts(store)).toEqual(["mine", "theirs", "three"]);
    expect(table.texts).toEqual(texts(store));
  });

  it("is nobody else's", async () => {
    await kill(await page("ada"));
    rememberAccount("bob");
    expect(await copy()).toBeUndefined();
    await keepAnswer("ada", "user", { id: "ada" });
    expect(await answerFor("user")).toBeUndefined();
    await kill(await page("bob", "captions/other"));
    rememberAccount("ada");
    expect(await copy()).toBeUndefined();
  });

  it("is kept of the newest files alone", async () => {
    for (let file = 0; file < COPIES_MAX + 2; file += 1) {
      const opened = await page("ada", `captions/${file}`);
      opened.store.flush();
      await kill(opened);
    }
    expect(await (await database())?.count("copies")).toBe(COPIES_MAX);
    expect(await answerFor("captions/0")).toBeUndefined();
    expect(await answerFor(`captions/${COPIES_MAX + 1}`)).toBeDefined();
  });
});

it("says that it keeps nothing when there is no room, and keeps all once there is", async () => {
  table.before = offline;
  const { store } = await page();
  const put = vi.spyOn(IDBObjectStore.prototype, "put").mockImplementation(() => {
    throw new DOMException("no room", "QuotaExceededError");
  });
  store.write("a", "mine");
  await vi.waitFor(() => expect(getKeeping()).toBe("full"));
  expect(texts(store)[0]).toBe("mine");
  put.mockRestore();
  store.write("a", "mine again");
  await vi.waitFor(() => expect(getKeeping()).toBe("kept"));
  expect(await left()).toBe(1);
});

it("keeps nothing where the browser has no database", async () => {
  const { store } = await page("ada", "captions/without");
  expect(store.get().captions.lines).toHaveLength(3);
  const nobody = await openJournal(undefined, TRACK);
  nobody.write(undefined, table.captions());
  expect(nobody.read()).toBeUndefined();
});

describe("what is written of a long journal", () => {
  const entry = (name: string, sent = false) => ({
    command: { id: name, action: "Delete" as const, line: line(name, 0, name).id },
    sent,
  });
  const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => entry(name));
  const held = [a, b, c].map((one, order) => ({ ...one!, order }));

  it.each([
    ["a new command", [a, b, c, d], [3], []],
    ["nothing new", [a, b, c], [], []],
    ["the first one sent", [{ ...a!, sent: true }, b, c], [0], []],
    ["the first one saved", [b, c], [], [0]],
    ["one in the middle dropped", [a, c], [3], [1, 2]],
    ["all dropped", [], [], [0, 1, 2]],
    ["another queue", [d], [3], [0, 1, 2]],
  ])("is little: %s", (_, queue, put, gone) => {
    const changes = changesOf(held, queue as typeof held, 3);
    expect(changes.put.map(({ order }) => order)).toEqual(put);
    expect([...changes.gone].sort()).toEqual(gone);
    const orders = changes.written.map(({ order }) => order);
    expect(orders).toEqual([...orders].sort((one, two) => one - two));
  });
});
