import { expect, test } from "vitest";
import { runFrom, spokenTime } from "./runs";

const lines = ["S1", "S1", "S2", "S1", null].map((speaker, index) => ({ id: `${index}`, speaker }));

test("a run goes up to the next change of speaker", () => {
  expect(runFrom(lines, "0")).toEqual(["0", "1"]);
  expect(runFrom(lines, "1")).toEqual(["1"]);
  expect(runFrom(lines, "2")).toEqual(["2"]);
  expect(runFrom(lines, "4")).toEqual(["4"]);
  expect(runFrom(lines, "gone")).toEqual([]);
});

test("a speaking time is short", () => {
  expect([45_400, 59_900, 720_000, 3_900_000].map(spokenTime)).toEqual([
    "45 s",
    "1 min",
    "12 min",
    "1 h 5 min",
  ]);
});
