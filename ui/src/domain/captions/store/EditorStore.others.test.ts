import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../../../platform/api/client";
import { newId } from "../model/commands";
import { Bench, texts } from "./bench.testing";
import { EditorStore } from "./EditorStore";
import { line, Table } from "./table.testing";

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

  it("of other words of the same line is joined with mine, also while I type on", async () => {
    const words = new Bench();
    words.table = new Table([line("a", 0, "so the men move on")]);
    const store = words.open();
    store.write("a", "so the men move on into more");
    words.table.others({ action: "Edit", line: "a", content: "so the women move on" });
    store.expect(1);
    await settle();
    expect(texts(store)).toEqual(["so the women move on into more"]);
    store.write("a", "so the women move on into more land");
    store.flush();
    await settle();
    expect(words.table.texts).toEqual(["so the women move on into more land"]);
    expect(store.get().save.kind).toBe("saved");
    expect(words.problems).toEqual([]);
  });

  it("shows without a question when an event names its revision", async () => {
    const store = open();
    table.others({ action: "Edit", line: "b", content: "theirs" });
    store.expect(1);
    await settle();
    expect(texts(store)).toEqual(["one", "theirs", "three"]);
    expect(store.get().save.kind).toBe("saved");
  });

  it.each(["an event", "a look at what was missed"])(
    "that %s tells of while an older state is on its way shows too",
    async (news) => {
      const store = open();
      table.travelMs = 1_000;
      store.check();
      // The server has answered, and the answer travels.
      await vi.advanceTimersByTimeAsync(1_500);
      table.others({ action: "Edit", line: "b", content: "theirs" });
      if (news === "an event") store.expect(1);
      else store.check();
      await vi.advanceTimersByTimeAsync(3_000);
      expect(texts(store)).toEqual(["one", "theirs", "three"]);
    },
  );

  it("is not fetched when it was my own", async () => {
    let loads = 0;
    const store = new EditorStore(
      table.captions(),
      { load: () => ((loads += 1), table.load()), save: table.save },
      bench.journal,
      { onProblem: () => undefined, onSaved: () => undefined },
    );
    store.write("a", "mine");
    store.flush();
    store.expect(1);
    await settle();
    store.expect(1);
    await settle();
    expect(loads).toBe(0);
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
    expect(bench.problems).toHaveLength(1);
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
    expect(bench.journal.kept?.refused).toHaveLength(1);
    expect(bench.problems).toHaveLength(2);
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
      conflict: { cause: "refused", mine: "precious", theirs: null, message: "No room." },
    });
    store.resolve("mine");
    await settle();
    expect(table.texts).toEqual(["one", "two", "three", "precious"]);
    expect(texts(store)).toEqual(table.texts);
  });
});
