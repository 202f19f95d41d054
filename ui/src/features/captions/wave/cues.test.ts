import { expect, it } from "vitest";
import { gripAt } from "./gestures";
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
