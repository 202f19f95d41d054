import { expect, it } from "vitest";
import { gripAt } from "./gestures";
import { halvesOf } from "./lanes";
import { edges } from "./makeWave";

it.each([
  ["wide block", 100, [10, 50, 90], ["start", "body", "end"]],
  ["narrow block keeps a middle to move it by", 30, [5, 15, 25], ["start", "body", "end"]],
])("the handles of a %s", (_what, width, places, grips) => {
  expect(places.map((x) => gripAt(x, width))).toEqual(grips);
});

it("draws the highest samples above and the lowest below", () => {
  const [high, low] = edges({ version: 1, samples_per_second: 20, peaks: [-127, 64, -32, 127] });
  expect([...low].map((value) => value.toFixed(2))).toEqual(["1.00", "0.25"]);
  expect([...high].map((value) => value.toFixed(2))).toEqual(["0.50", "1.00"]);
});

it("gives lines that are on screen at the same time a half each", () => {
  const halves = (...lines: [number, number, number?][]) =>
    halvesOf(
      lines.map(([start_ms, end_ms, align]) => ({
        start_ms,
        end_ms,
        place: align === undefined ? null : { align, x: null, y: null },
      })),
    );
  expect(halves([0, 10], [10, 20], [25, 30])).toEqual(["whole", "whole", "whole"]);
  expect(halves([0, 10], [8, 20], [25, 30])).toEqual(["upper", "lower", "whole"]);
  expect(halves([0, 10], [8, 20], [12, 18], [19, 22])).toEqual([
    "upper",
    "lower",
    "upper",
    "upper",
  ]);
  // Signs are above, whichever begins first.
  expect(halves([0, 3], [1, 10, 8], [4, 6], [9, 12])).toEqual(["lower", "upper", "lower", "lower"]);
  expect(halves([0, 9, 8], [1, 3], [4, 6])).toEqual(["upper", "lower", "lower"]);
});
