import { expect, it } from "vitest";
import { differencesOf, type VersionLine } from "./data";

const line = (id: string, start_ms: number, text: string): VersionLine => ({
  id,
  start_ms,
  end_ms: start_ms + 1_000,
  text,
  speaker: null,
});

it("lists what changed, what is gone and what is new in order of time", () => {
  const then = [line("a", 0, "one"), line("b", 2_000, "two"), line("c", 4_000, "three")];
  const now = [line("a", 100, "one"), line("d", 1_500, "new"), line("c", 4_000, "three")];
  expect(differencesOf(then, now).map(({ id, kind }) => [id, kind])).toEqual([
    ["a", "changed"],
    ["d", "new"],
    ["b", "gone"],
  ]);
  expect(differencesOf(then, then)).toEqual([]);
});
