import { describe, expect, it } from "vitest";
import type { Line } from "../types";
import { between } from "./cues";
import { edges } from "./makeWave";

const spans: [number, number][] = [
  [0, 1_000],
  [2_000, 3_000],
  [4_000, 5_000],
];
const lines = spans.map(([start_ms, end_ms]) => ({ start_ms, end_ms }) as Line);

describe("a block that was moved or stretched", () => {
  it.each([
    ["moved into free time", 2_500, 3_500, 2_500, 3_500],
    ["moved into the next line keeps its length", 3_600, 4_600, 3_000, 4_000],
    ["moved into the one before keeps its length", 500, 1_500, 1_000, 2_000],
    ["stretched over the next line stops at it", 2_000, 4_400, 2_000, 4_000],
    ["stretched over the one before stops at it", 300.4, 3_000, 1_000, 3_000],
    ["stretched to a fraction is whole milliseconds", 2_000.4, 3_100.6, 2_000, 3_101],
  ])("%s", (_what, start, end, start_ms, end_ms) => {
    expect(between(lines, 1, start, end)).toEqual({ start_ms, end_ms });
  });
});

it("draws the highest samples above and the lowest below", () => {
  const [high, low] = edges({ version: 1, samples_per_second: 20, peaks: [-127, 64, -32, 127] });
  expect([...low].map((value) => value.toFixed(2))).toEqual(["1.00", "0.25"]);
  expect([...high].map((value) => value.toFixed(2))).toEqual(["0.50", "1.00"]);
});
