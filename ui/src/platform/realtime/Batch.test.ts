import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Batch } from "./Batch";

const EVERY_MS = 1_000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("takes changes of state at once, and gathers progress", () => {
  const taken: string[][] = [];
  const batch = new Batch<string>(EVERY_MS, (keys) => taken.push(keys));
  batch.add(["files"], true);
  expect(taken).toEqual([["files"]]);
  for (let event = 0; event < 20; event += 1) batch.add(["files", "file/a"], false);
  expect(taken).toHaveLength(1);
  vi.advanceTimersByTime(EVERY_MS);
  expect(taken.slice(1)).toEqual([["files", "file/a"]]);
  batch.add(["captions/a"], false);
  batch.add(["file/a"], true);
  expect(taken.slice(2)).toEqual([["captions/a", "file/a"]]);
});

it("takes nothing once it is stopped", () => {
  const taken: string[][] = [];
  const batch = new Batch<string>(EVERY_MS, (keys) => taken.push(keys));
  batch.add(["a"], true);
  batch.add(["b"], false);
  batch.stop();
  vi.advanceTimersByTime(EVERY_MS * 2);
  expect(taken).toEqual([["a"]]);
});
