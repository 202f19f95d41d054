import { expect, it } from "vitest";
import { choicesOf, indexAfter } from "./choices";
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
