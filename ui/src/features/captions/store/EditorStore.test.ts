import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../api/client";
import { AUTOSAVE_MS, EditorStore, RETRY_MS } from "./EditorStore";
import { memory, Table } from "./table.testing";

let table: Table;
let problems: string[];
let journal: ReturnType<typeof memory>;
const open = () =>
  new EditorStore(
    table.captions(),
    { load: () => Promise.resolve(table.captions()), save: table.save },
    journal,
    { onProblem: (message) => problems.push(message), onSaved: () => undefined },
  );
const texts = (store: EditorStore) => store.get().captions.lines.map((one) => one.text);

beforeEach(() => {
  vi.useFakeTimers();
  table = new Table();
  problems = [];
  journal = memory();
});
afterEach(() => vi.useRealTimers());
const settle = () => vi.advanceTimersByTimeAsync(0);

describe("EditorStore", () => {
  it("saves what was typed once the typing rests", async () => {
    const store = open();
    store.draft("a", { text: "on" });
    await vi.advanceTimersByTimeAsync(AUTOSAVE_MS - 1);
    store.draft("a", { text: "one!" });
    expect(store.get().save.kind).toBe("unsaved");
    expect(journal.kept.map((one) => one.text)).toEqual(["one!"]);
    await vi.advanceTimersByTimeAsync(AUTOSAVE_MS);
    expect(table.sent.map((edit) => edit.content)).toEqual(["one!"]);
    expect(texts(store)).toEqual(["one!", "two", "three"]);
    expect(store.get().save.kind).toBe("saved");
    expect(journal.kept).toEqual([]);
  });

  it("keeps what is typed while a save is on its way", async () => {
    const store = open();
    store.draft("a", { text: "first" });
    store.flush();
    store.draft("a", { text: "second" });
    await settle();
    expect(store.get().drafts.get("a")?.text).toBe("second");
    await vi.advanceTimersByTimeAsync(AUTOSAVE_MS);
    expect(table.sent.map((edit) => edit.content)).toEqual(["first", "second"]);
    expect(store.get().save.kind).toBe("saved");
  });

  it("leaves a text that the server cleaned as it was typed, until the person leaves the line", async () => {
    const save = table.save;
    table.save = (edit) => save({ ...edit, content: edit.content?.trim() });
    const cleaning = new EditorStore(
      table.captions(),
      { load: () => Promise.resolve(table.captions()), save: table.save },
      journal,
      { onProblem: () => undefined, onSaved: () => undefined },
    );
    cleaning.draft("a", { text: "one " });
    cleaning.flush();
    await settle();
    expect(cleaning.get().drafts.get("a")?.text).toBe("one ");
    expect(cleaning.get().save.kind).toBe("saved");
    expect(journal.kept).toEqual([]);
    cleaning.draft("a", { text: "one more" });
    expect(cleaning.get().save.kind).toBe("unsaved");
    cleaning.flush();
    await settle();
    cleaning.leave("a");
    expect(cleaning.get().drafts.size).toBe(0);
    expect(texts(cleaning)[0]).toBe("one more");
  });

  it("sends drafts before a command, and the text with a split", async () => {
    const store = open();
    store.draft("a", { text: "changed" });
    await store.run({ action: "Delete", line: "b" });
    expect(table.sent.map((edit) => edit.action)).toEqual(["Edit", "Delete"]);
    store.draft("c", { text: "thr ee" });
    void store.run({ action: "Split", line: "c", content: "thr ee", at: 3 });
    await settle();
    expect(table.sent.map((edit) => edit.action)).toEqual(["Edit", "Delete", "Split"]);
    expect(store.get().drafts.size).toBe(0);
  });

  it("shows both texts when somebody else changed the line, and overwrites nothing", async () => {
    const store = open();
    store.draft("a", { text: "mine" });
    table.write("a", "theirs");
    store.flush();
    await settle();
    const { save } = store.get();
    expect(save).toMatchObject({ kind: "conflict", conflict: { mine: "mine", theirs: "theirs" } });
    expect(table.lines[0]?.text).toBe("theirs");
    store.resolve("mine");
    await settle();
    expect(table.lines[0]?.text).toBe("mine");
    expect(store.get().save.kind).toBe("saved");
  });

  it("lets mine go when theirs is kept", async () => {
    const store = open();
    store.draft("a", { text: "mine" });
    table.write("a", "theirs");
    store.flush();
    await settle();
    store.resolve("theirs");
    await settle();
    expect(texts(store)[0]).toBe("theirs");
    expect(table.sent.filter((edit) => edit.content === "mine")).toHaveLength(1);
    expect(store.get().drafts.size).toBe(0);
  });

  it("never claims to have seen a change it did not fetch", async () => {
    const store = open();
    table.write("b", "theirs");
    store.draft("a", { text: "mine" });
    store.flush();
    await settle();
    // The answer told of two new revisions, so the other one was fetched.
    expect(texts(store)).toEqual(["mine", "theirs", "three"]);
    store.draft("b", { text: "on theirs" });
    store.flush();
    await settle();
    expect(table.sent.at(-1)?.issued).toBe(2);
    expect(store.get().save.kind).toBe("saved");
  });

  it("offers to write a line again that somebody deleted", async () => {
    const store = open();
    store.draft("b", { text: "kept by me" });
    table.lines = table.lines.filter((one) => one.id !== "b");
    table.revision += 1;
    store.flush();
    await settle();
    expect(store.get().save).toMatchObject({ kind: "conflict", conflict: { theirs: null } });
    store.resolve("mine");
    await settle();
    expect(table.sent.at(-1)).toMatchObject({ action: "Add", start: 2_000, content: "kept by me" });
    expect(texts(store)).toEqual(["one", "kept by me", "three"]);
  });

  it("holds on to changes while the server cannot be reached, and sends them later", async () => {
    const store = open();
    table.answer = () => new ApiError(0, "offline");
    store.draft("a", { text: "mine" });
    store.flush();
    await settle();
    expect(store.get().save).toEqual({ kind: "failed", message: "offline" });
    store.draft("b", { text: "also mine" });
    table.answer = undefined;
    await vi.advanceTimersByTimeAsync(RETRY_MS[0] ?? 0);
    expect(texts(store)).toEqual(["mine", "also mine", "three"]);
    expect(store.get().save.kind).toBe("saved");
  });

  it("puts refused times back, keeps refused text, and says why", async () => {
    const store = open();
    table.answer = () => new ApiError(422, "There is another line at that time.");
    store.draft("a", { start_ms: 2_500 });
    store.flush();
    await settle();
    expect(store.get().drafts.size).toBe(0);
    store.draft("b", { text: "" });
    store.flush();
    await settle();
    expect(store.get().drafts.get("b")).toMatchObject({
      text: "",
      problem: "There is another line at that time.",
    });
    expect(problems).toHaveLength(2);
  });

  it("sends new times of a line whose text was typed back", async () => {
    const store = open();
    store.draft("a", { text: "other" });
    store.draft("a", { text: "one", end_ms: 1_500 });
    store.flush();
    await settle();
    expect(table.sent).toMatchObject([{ action: "Edit", content: "one", end: 1_500 }]);
  });

  it("recovers unsaved text of an earlier visit, and asks when the line moved on", async () => {
    const base = (text: string) => ({ text, start_ms: 0, end_ms: 1_000 });
    journal = memory([
      { id: "a", text: "unsaved", base: base("one") },
      { id: "b", text: "old draft", base: base("before") },
    ]);
    const store = open();
    await settle();
    expect(store.get().save).toMatchObject({ kind: "conflict", conflict: { id: "b" } });
    store.resolve("theirs");
    await settle();
    expect(texts(store)).toEqual(["unsaved", "two", "three"]);
    expect(journal.kept).toEqual([]);
  });

  it("ignores a fetched state that is older than its own", async () => {
    const store = open();
    const old = table.captions();
    store.draft("a", { text: "new" });
    store.flush();
    await settle();
    store.receive(old);
    expect(texts(store)[0]).toBe("new");
  });
});
