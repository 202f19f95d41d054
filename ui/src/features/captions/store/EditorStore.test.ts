import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../api/client";
import { newId } from "../model/commands";
import { AUTOSAVE_MS, EditorStore } from "./EditorStore";
import { RETRY_MS } from "./Sender";
import { textOf } from "./state";
import { memory, Table } from "./table.testing";

let table: Table;
let problems: string[];
let journal: ReturnType<typeof memory>;
const open = () =>
  new EditorStore(table.captions(), { load: table.load, save: table.save }, journal, {
    onProblem: (message) => problems.push(message),
    onSaved: () => undefined,
  });
/** What the person sees. */
const texts = (store: EditorStore) => {
  const { captions, typed } = store.get();
  return captions.lines.map((one) => textOf(one, typed.get(one.id)));
};
const actions = () => table.sent.map((call) => call.action);
const settle = () => vi.advanceTimersByTimeAsync(0);
const offline = () => new ApiError(0, "offline");

beforeEach(() => {
  vi.useFakeTimers();
  table = new Table();
  problems = [];
  journal = memory();
});
afterEach(() => vi.useRealTimers());

describe("typing", () => {
  it("is saved once it rests, as one change", async () => {
    const store = open();
    store.write("a", "on");
    await vi.advanceTimersByTimeAsync(AUTOSAVE_MS - 1);
    store.write("a", "one!");
    expect(store.get().save.kind).toBe("unsaved");
    expect(journal.kept?.queue).toMatchObject([{ command: { content: "one!" } }]);
    await vi.advanceTimersByTimeAsync(AUTOSAVE_MS);
    expect(table.sent.map((call) => call.content)).toEqual(["one!"]);
    expect(texts(store)).toEqual(["one!", "two", "three"]);
    expect(store.get().save.kind).toBe("saved");
    expect(journal.kept).toBeUndefined();
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
    expect(problems).toEqual([]);
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
    expect(problems).toHaveLength(3);
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
    expect(problems).toHaveLength(1);
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
    expect(problems).toEqual([]);
  });

  it("and changes made offline wait and are sent later", async () => {
    const store = open();
    table.before = offline;
    store.write("a", "mine");
    store.run({ action: "Delete", line: "b" });
    await settle();
    expect(store.get().save).toEqual({ kind: "failed", message: "offline" });
    expect(texts(store)).toEqual(["mine", "three"]);
    store.write("c", "also mine");
    table.before = undefined;
    await vi.advanceTimersByTimeAsync((RETRY_MS[0] ?? 0) + AUTOSAVE_MS);
    expect(table.texts).toEqual(["mine", "also mine"]);
    expect(store.get().save.kind).toBe("saved");
  });
});

describe("a reload", () => {
  const tail = newId();
  const work = (store: EditorStore) => {
    store.write("a", "one one");
    store.run({ action: "Split", line: "a", content: "one one", at: 4, newLine: tail });
    store.write(tail, "more");
    store.run({ action: "Delete", line: "b" });
    store.run({ action: "Undo" });
  };

  it("loses no command that was not sent", async () => {
    const first = open();
    table.before = offline;
    work(first);
    await settle();
    first.dispose();
    table.before = undefined;
    const second = open();
    await settle();
    expect(texts(second)).toEqual(["one", "more", "two", "three"]);
    expect(table.texts).toEqual(texts(second));
    expect(journal.kept).toBeUndefined();
  });

  it.each([1, 2, 3, 4, 5])("repeats command %d, whose answer it never got", async (answers) => {
    const first = open();
    let left = answers;
    table.after = () => (--left > 0 ? undefined : offline());
    work(first);
    await settle();
    first.dispose();
    table.after = undefined;
    expect(table.revision).toBe(answers);
    const second = open();
    await settle();
    expect(texts(second)).toEqual(["one", "more", "two", "three"]);
    expect(table.texts).toEqual(texts(second));
    expect(table.revision).toBe(5);
    expect(second.get()).toMatchObject({ locked: false, save: { kind: "saved" } });
    expect(problems).toEqual([]);
  });

  it("asks when somebody changed the line meanwhile", async () => {
    const first = open();
    table.before = offline;
    first.write("a", "mine");
    first.write("b", "mine too");
    first.flush();
    await settle();
    first.dispose();
    table.before = undefined;
    table.others({ action: "Edit", line: "b", content: "theirs" });
    const second = open();
    await settle();
    expect(second.get().save).toMatchObject({
      kind: "conflict",
      conflict: { mine: "mine too", theirs: "theirs" },
    });
    const third = open();
    expect(third.get().save.kind).toBe("conflict");
    third.resolve("theirs");
    await settle();
    expect(table.texts).toEqual(["mine", "theirs", "three"]);
  });
});

describe("somebody else's change", () => {
  it("of another line is fetched, and nothing claims to have seen it before", async () => {
    const store = open();
    table.others({ action: "Edit", line: "b", content: "theirs" });
    store.write("a", "mine");
    store.flush();
    await settle();
    expect(texts(store)).toEqual(["mine", "theirs", "three"]);
    store.write("b", "on theirs");
    store.flush();
    await settle();
    expect(table.sent.at(-1)?.issued).toBe(2);
    expect(store.get().save.kind).toBe("saved");
  });

  it.each(["mine", "theirs"] as const)("of the same line is a question: %s", async (choice) => {
    const store = open();
    store.write("a", "mine");
    table.others({ action: "Edit", line: "a", content: "theirs" });
    store.flush();
    await settle();
    expect(store.get().save).toMatchObject({
      kind: "conflict",
      conflict: { mine: "mine", theirs: "theirs" },
    });
    expect(table.texts[0]).toBe("theirs");
    store.resolve(choice);
    await settle();
    expect(table.texts).toEqual([choice, "two", "three"]);
    expect(texts(store)).toEqual(table.texts);
    expect(store.get().save.kind).toBe("saved");
  });

  it("of a line that was split and written in keeps both texts to choose from", async () => {
    const store = open();
    const tail = newId();
    store.write("a", "one and one");
    store.run({ action: "Split", line: "a", content: "one and one", at: 4, newLine: tail });
    store.write(tail, "and another");
    table.others({ action: "Edit", line: "a", content: "theirs" });
    store.flush();
    await settle();
    expect(store.get().save).toMatchObject({
      conflict: { mine: "one and another", theirs: "theirs" },
    });
    store.resolve("mine");
    await settle();
    expect(table.texts).toEqual(["one and another", "two", "three"]);
    expect(texts(store)).toEqual(table.texts);
  });

  it("that deleted the line offers to write mine again", async () => {
    const store = open();
    store.write("b", "kept by me");
    table.others({ action: "Delete", line: "b" });
    store.flush();
    await settle();
    expect(store.get().save).toMatchObject({ kind: "conflict", conflict: { theirs: null } });
    store.resolve("mine");
    await settle();
    expect(table.texts).toEqual(["one", "kept by me", "three"]);
    expect(texts(store)).toEqual(table.texts);
  });

  it("is never undone by an undo that was meant for one's own", async () => {
    const store = open();
    store.write("a", "mine");
    store.flush();
    await settle();
    table.others({ action: "Edit", line: "c", content: "theirs" });
    store.run({ action: "Undo" });
    await settle();
    expect(table.texts).toEqual(["mine", "two", "theirs"]);
    expect(texts(store)).toEqual(table.texts);
    expect(problems).toHaveLength(1);
  });

  it("that is older than what this page has is ignored", async () => {
    const store = open();
    const old = table.captions();
    store.write("a", "new");
    store.flush();
    await settle();
    store.receive(old);
    expect(texts(store)[0]).toBe("new");
  });
});

describe("what the server refuses", () => {
  it("puts times back, and leaves text for the person to correct", async () => {
    const store = open();
    table.before = () => new ApiError(422, "Too long.");
    store.retime("a", { start_ms: 500 });
    store.flush();
    await settle();
    expect(store.get().captions.lines[0]?.start_ms).toBe(0);
    store.write("b", "far too long");
    store.flush();
    await settle();
    store.leave("b");
    expect(texts(store)[1]).toBe("far too long");
    expect(store.get().typed.get("b")?.problem).toBe("Too long.");
    expect(journal.kept?.refused).toHaveLength(1);
    expect(problems).toHaveLength(2);
    table.before = undefined;
    store.write("b", "short");
    store.flush();
    await settle();
    expect(table.texts).toEqual(["one", "short", "three"]);
    expect(store.get().typed.get("b")?.problem).toBeUndefined();
  });

  it("never loses what was typed into a line that could not be added", async () => {
    const store = open();
    const added = newId();
    let calls = 0;
    table.before = () => (calls++ === 0 ? new ApiError(422, "No room.") : undefined);
    store.run({ action: "Add", newLine: added, start: 6_000, end: 7_000, content: "" });
    store.write(added, "precious");
    store.flush();
    await settle();
    expect(store.get().save).toMatchObject({
      conflict: { mine: "precious", theirs: null, message: "No room." },
    });
    store.resolve("mine");
    await settle();
    expect(table.texts).toEqual(["one", "two", "three", "precious"]);
    expect(texts(store)).toEqual(table.texts);
  });
});
