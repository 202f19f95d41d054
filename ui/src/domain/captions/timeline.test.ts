import { describe, expect, it } from "vitest";
import type { Line } from "./types";
import { linesOfText, onScreenAt, onScreenText, roomBeside, startedAt } from "./timeline";

const spans: [number, number][] = [
  [1_000, 2_000],
  [2_000, 3_000],
  [8_000, 9_000],
];
const lines = spans.map(([start_ms, end_ms]) => ({ start_ms, end_ms }) as Line);

describe("the playback position", () => {
  it.each([
    [0, -1, []],
    [1_000, 0, [0]],
    [1_999, 0, [0]],
    [2_000, 1, [1]],
    [3_000, 1, []],
    [8_500, 2, [2]],
    [9_000, 2, []],
  ])("at %d ms", (ms, started, onScreen) => {
    expect(startedAt(lines, ms)).toBe(started);
    expect(onScreenAt(lines, ms)).toEqual(onScreen);
  });

  it("has a sign and what is said below it", () => {
    const sign = { start_ms: 500, end_ms: 2_500 } as Line;
    const both = [sign, ...lines];
    expect(onScreenAt(both, 1_500)).toEqual([0, 1]);
    expect(onScreenAt(both, 2_200)).toEqual([0, 2]);
    expect(linesOfText(both, onScreenText(both, 2_200))).toEqual([sign, lines[1]]);
    expect(linesOfText(both, onScreenText(both, 7_000))).toEqual([]);
  });

  it("is nowhere in an empty list", () => expect(startedAt([], 5)).toBe(-1));
});

describe("room for a new line", () => {
  it.each<[number, "after" | "before", { start: number; end: number } | undefined]>([
    [0, "after", undefined],
    [1, "after", { start: 3_100, end: 5_100 }],
    [2, "after", { start: 9_100, end: 11_100 }],
    [2, "before", { start: 5_900, end: 7_900 }],
    [0, "before", { start: 0, end: 900 }],
  ])("beside line %d, %s", (index, side, room) => {
    expect(roomBeside(lines, index, side)).toEqual(room);
  });

  it("starts at the beginning of an empty list", () => {
    expect(roomBeside([], -1, "after")).toEqual({ start: 0, end: 2_000 });
  });
});
