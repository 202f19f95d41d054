import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../model/commands";
import { Bench, offline, texts } from "./bench.testing";
import { AUTOSAVE_MS } from "./TrackStore";
import { RETRY_MS } from "./exchange/Sender";
import type { Table } from "./table.testing";

let bench: Bench;
let table: Table;
const open = () => bench.open();
const settle = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  bench = new Bench();
  table = bench.table;
});
afterEach(() => vi.useRealTimers());

const actions = () => table.sent.map((call) => call.action);

describe("typing", () => {
  it("is saved once it rests, as one change", async () => {
    const store = open();
    store.write("a", "on");
    await vi.advanceTimersByTimeAsync(AUTOSAVE_MS - 1);
    store.write("a", "one!");
    expect(store.get().save.kind).toBe("unsaved");
    expect(bench.journal.kept?.queue).toMatchObject([{ command: { content: "one!" } }]);
    await vi.advanceTimersByTimeAsync(AUTOSAVE_MS);
    expect(table.sent.map((call) => call.content)).toEqual(["one!"]);
    expect(texts(store)).toEqual(["one!", "two", "three"]);
    expect(store.get().save.kind).toBe("saved");
    expect(bench.journal.kept).toBeUndefined();
  });

  it("goes on while a save is on its way", async () => {
    const store = open();
    store.write("a", "first");
    store.flush();
    store.write("a", "second");
    await settle();
    expect(texts(store)[0]).toBe("second");
    await vi.advanceTimersByTimeAsync(AUTOSAVE_MS);
    expect(table.sent.map((call) => call.content)).toEqual(["first", "second"]);
    expect(store.get().save.kind).toBe("saved");
  });

  it("shows white space as typed until the person leaves the line", async () => {
    const store = open();
    store.write("a", "one more ");
    store.flush();
    await settle();
    expect(texts(store)[0]).toBe("one more ");
    expect(store.get().save.kind).toBe("saved");
    store.leave("a");
    expect(texts(store)[0]).toBe("one more");
  });

  it("that changes nothing sends nothing", async () => {
    const store = open();
    store.write("a", "other");
    store.write("a", "one");
    store.write("b", "two ");
    store.flush();
    await settle();
    expect(table.sent).toEqual([]);
    expect(store.get().save.kind).toBe("saved");
  });
});

describe("a command shows before the server answers", () => {
  it("and what is typed next belongs to the line one sees", async () => {
    const store = open();
    table.travelMs = 1_000;
    store.write("a", "one plus one");
    const tail = newId();
    store.run({ action: "Split", line: "a", content: "one plus one", at: 4, newLine: tail });
    expect(texts(store)).toEqual(["one", "plus one", "two", "three"]);
    store.write(tail, "and plus one");
    store.run({ action: "Merge", line: tail, with: "b" });
    store.write(tail, "and plus one, two");
    store.run({ action: "Delete", line: "c" });
    expect(texts(store)).toEqual(["one", "and plus one, two"]);
    expect(table.sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(table.texts).toEqual(["one", "and plus one, two"]);
    expect(texts(store)).toEqual(table.texts);
    expect(actions()).toEqual(["Edit", "Split", "Edit", "Merge", "Edit", "Delete"]);
    expect(bench.problems).toEqual([]);
  });

  it("and undo and redo take it back and bring it again", async () => {
    const store = open();
    table.travelMs = 1_000;
    store.write("b", "two!");
    store.run({ action: "Delete", line: "a" });
    store.run({ action: "Undo" });
    expect(texts(store)).toEqual(["one", "two!", "three"]);
    store.run({ action: "Undo" });
    expect(texts(store)).toEqual(["one", "two", "three"]);
    expect(store.get().captions).toMatchObject({ can_undo: false, can_redo: true });
    store.run({ action: "Redo" });
    store.write("a", "one?");
    expect(store.get().captions.can_redo).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(table.texts).toEqual(["one?", "two!", "three"]);
    expect(texts(store)).toEqual(table.texts);
  });

  it("and one that cannot be done is refused at once", () => {
    const store = open();
    store.run({ action: "Split", line: "a", content: "one", at: 0, newLine: newId() });
    store.run({ action: "Merge", line: "a", with: "c" });
    store.run({ action: "Undo" });
    expect(bench.problems).toHaveLength(3);
    expect(table.sent).toEqual([]);
    expect(texts(store)).toEqual(["one", "two", "three"]);
  });

  it("but an undo that only the server knows locks the lines until it has answered", async () => {
    table.others({ action: "Edit", line: "a", content: "before" });
    const store = open();
    table.travelMs = 100;
    const ran = store.run({ action: "Undo" });
    expect(ran.kind).toBe("waiting");
    expect(store.get().locked).toBe(true);
    store.write("a", "lost?");
    expect(texts(store)[0]).toBe("before");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(store.get().locked).toBe(false);
    expect(texts(store)[0]).toBe("one");
    store.run({ action: "Redo" });
    expect(texts(store)[0]).toBe("before");
  });

  it("and offline such an undo is given up at once", async () => {
    table.others({ action: "Edit", line: "a", content: "before" });
    const store = open();
    table.before = offline;
    table.load = () => Promise.reject(offline());
    store.run({ action: "Undo" });
    await settle();
    expect(store.get().locked).toBe(false);
    expect(bench.problems).toHaveLength(1);
    expect(texts(store)[0]).toBe("before");
  });
});

describe("an answer that gets lost", () => {
  it("lets the command be sent again, and nothing is done twice", async () => {
    const store = open();
    let losses = 3;
    table.after = () => (losses-- > 0 ? offline() : undefined);
    const tail = newId();
    store.write("a", "one one");
    store.run({ action: "Split", line: "a", content: "one one", at: 4, newLine: tail });
    store.write(tail, "more");
    store.flush();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(table.texts).toEqual(["one", "more", "two", "three"]);
    expect(texts(store)).toEqual(table.texts);
    expect(table.revision).toBe(3);
    expect(table.sent.length).toBe(6);
    expect(store.get().save.kind).toBe("saved");
    expect(bench.problems).toEqual([]);
  });

  it("and changes made offline wait and are sent later", async () => {
    const store = open();
    table.before = offline;
    store.write("a", "mine");
    store.run({ action: "Delete", line: "b" });
    await settle();
    expect(store.get().save).toMatchObject({ kind: "failed", message: "offline" });
    expect(texts(store)).toEqual(["mine", "three"]);
    store.write("c", "also mine");
    table.before = undefined;
    await vi.advanceTimersByTimeAsync((RETRY_MS[0] ?? 0) + AUTOSAVE_MS);
    expect(table.texts).toEqual(["mine", "also mine"]);
    expect(store.get().save.kind).toBe("saved");
  });
});
