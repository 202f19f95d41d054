import { expect, it } from "vitest";
import { choicesOf, commandsFor, indexAfter } from "./choices";
import type { Found } from "./data";

const line = { line: "l", language: "es", is_translation: true, start_ms: 1500 };
const found = [
  { slug: "a", matches: [line] },
  { slug: "b", matches: [] },
] as unknown as Found[];

it("offers each file, its lines, and at last all results", () => {
  expect(choicesOf(found, 7, "a b&c").map(({ path }) => path)).toEqual([
    "/captions/a",
    "/captions/a?language=es&line=l&at=1500",
    "/captions/b",
    "/captions?q=a%20b%26c",
  ]);
  expect(choicesOf([], 0, "none")).toEqual([]);
});

it("goes round with the arrow keys", () => {
  expect(indexAfter("ArrowDown", -1, 3)).toBe(0);
  expect(indexAfter("ArrowDown", 2, 3)).toBe(0);
  expect(indexAfter("ArrowUp", 0, 3)).toBe(2);
  expect(indexAfter("ArrowUp", -1, 3)).toBe(2);
  expect(indexAfter("a", 1, 3)).toBeUndefined();
  expect(indexAfter("ArrowDown", -1, 0)).toBeUndefined();
});

it("finds commands by how their words begin, in any order and without accents", () => {
  const named = (...labels: string[]) =>
    labels.map((label) => ({ id: label, label, shownKey: null, run: () => undefined }));
  const commands = named("Split the line", "Merge with the next line", "Færa línu upp");
  const labels = (text: string) => commandsFor(commands, text).map(({ path }) => path);
  expect(labels("")).toHaveLength(3);
  expect(labels("line spl")).toEqual(["command:Split the line"]);
  expect(labels("LINU")).toEqual(["command:Færa línu upp"]);
  expect(labels("plit")).toEqual([]);
});
