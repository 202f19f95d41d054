import { expect, it } from "vitest";
import { isWhole, partOf } from "./firstLines";
import type { Captions, Line } from "./types";

const first = (count: number, is_live = false) =>
  ({
    is_live,
    lines: Array.from({ length: count }, (_, at) => ({ end_ms: at * 1_000 + 900 }) as Line),
  }) as Captions;

it("shows the first lines where the person left the file among them", () => {
  expect(partOf(first(60), 0)).toMatchObject({ isPart: true, is_live: true });
  expect(partOf(first(60), 59_000)?.lines).toHaveLength(60);
  expect(partOf(first(60), 61_000)).toBeUndefined();
});

it("knows a file that has no more lines, and a draft, which comes whole", () => {
  expect([first(59), first(60), first(500, true)].map(isWhole)).toEqual([true, false, true]);
  expect(partOf(first(3), 0)).toBeUndefined();
});
