import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../model/commands";
import { Bench, offline, texts } from "./bench.testing";
import { EditorStore } from "./EditorStore";
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
    expect(bench.journal.kept).toBeUndefined();
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
    expect(bench.problems).toEqual([]);
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
