import { expect, it } from "vitest";
import type { Captions } from "../captions/types";
import type { OpenJournal } from "./journals";
import { lateJournal } from "./lateJournal";

const LEFT = { revision: 1, texts: {}, queue: [], conflicts: [], refused: [] };

function opening() {
  const calls: string[] = [];
  const journal: OpenJournal = {
    read: () => LEFT,
    write: () => calls.push("write"),
    close: () => calls.push("close"),
    onLeft: () => undefined,
    isOver: () => false,
  };
  let open: () => void = () => undefined;
  const late = lateJournal(new Promise((go) => (open = () => go(journal))));
  return { journal, late, calls, open: () => (open(), late.opening) };
}

it("holds and keeps nothing until it is open", async () => {
  const { late, calls, open } = opening();
  expect(late.read()).toBeUndefined();
  late.write(LEFT, {} as Captions);
  expect(calls).toEqual([]);
  await open();
  expect(late.opening).toBeNull();
  expect(late.read()).toBe(LEFT);
  late.write(LEFT, {} as Captions);
  expect(calls).toEqual(["write"]);
});

it("says what other pages leave, whenever its listener was set", async () => {
  const { journal, late, open } = opening();
  let count = 0;
  late.onLeft = () => (count += 1);
  await open();
  journal.onLeft();
  late.onLeft = () => (count += 10);
  journal.onLeft();
  expect(count).toBe(11);
});

it("closes a journal that opens after the page was left", async () => {
  const { late, calls, open } = opening();
  late.close();
  await open();
  expect(calls).toEqual(["close"]);
});
