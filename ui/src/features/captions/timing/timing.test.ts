import { expect, it } from "vitest";
import { line } from "../../../domain/captions/store/table.testing";
import { freeSpan, dragChanges, snapBy, type DragRules } from "./drag";
import { Frames } from "../../editor/playback/Frames";
import { RATES } from "../../../domain/captions/timecode";
import { factorOf, onGrid, scaled, snapped } from "./grid";
import { nudged, type Distance } from "./nudge";
import { extended, pointSync, pulled, shifted, synced, untilNext } from "./times";
import { inOneRow } from "../../../domain/captions/model/text";
import { forbiddenBreak } from "../../../domain/captions/quality/marks";
import { visibleLength } from "../../../domain/captions/times";
import { balanced, headToPrevious, tailToNext } from "./words";

const LINES = [line("a", 0, "one two"), line("b", 2_000, "three"), line("c", 4_000, "four")];
const all = new Set(["a", "b", "c"]);
const free: DragRules = { targets: [], tolerance: 80, cascade: false, roll: false };

it("shifts, extends and pulls as far as there is room", () => {
  expect(shifted(LINES, new Set(["b"]), 300)).toEqual([{ line: "b", start: 2_300, end: 3_300 }]);
  expect(extended(LINES, all, 5_000)).toEqual([
    { line: "a", end: 1_900 },
    { line: "b", end: 3_900 },
    { line: "c", end: 10_000 },
  ]);
  expect(extended(LINES, new Set(["a"]), -5_000)).toEqual([{ line: "a", end: 100 }]);
  expect(pulled(LINES, new Set(["b"]), -5_000)).toEqual([{ line: "b", start: 1_100 }]);
  expect(untilNext(LINES, all, { gap: 100, most: 1_500 })).toEqual([
    { line: "a", end: 1_500 },
    { line: "b", end: 3_500 },
  ]);
});

it("brings lines in step through two points and refuses points that cross", () => {
  const points = [
    { from: 0, to: 1_000 },
    { from: 4_000, to: 9_000 },
  ];
  expect(synced(2_000, points)).toBe(5_000);
  expect(pointSync(LINES, points)).toEqual([
    { line: "a", start: 1_000, end: 3_000 },
    { line: "b", start: 5_000, end: 7_000 },
    { line: "c", start: 9_000, end: 11_000 },
  ]);
  expect(pointSync(LINES, points.slice(1))).toBe("points");
  expect(
    pointSync(LINES, [
      { from: 0, to: 5_000 },
      { from: 4_000, to: 1_000 },
    ]),
  ).toBe("order");
  const three = [...points, { from: 8_000, to: 10_000 }];
  expect(synced(6_000, three)).toBe(9_500);
});

it("a drag of one of two lines that overlap parts them, whichever is dragged", () => {
  const [a, b, c] = LINES;
  if (a === undefined || b === undefined || c === undefined) throw new Error("No lines.");
  const lines = [{ ...a, end_ms: 2_400 }, b, c];
  const drag = (id: string, grip: "start" | "end" | "body", by: number) =>
    dragChanges(lines, id, grip, by, new Set([id]), free);
  expect(drag("a", "end", -50)).toEqual([{ line: "a", start: 0, end: 2_000 }]);
  expect(drag("a", "end", -900)).toEqual([{ line: "a", start: 0, end: 1_500 }]);
  expect(drag("a", "end", 300)).toEqual([]);
  expect(drag("b", "start", 10)).toEqual([{ line: "b", start: 2_400, end: 3_000 }]);
  expect(drag("b", "body", 10)).toEqual([{ line: "b", start: 2_400, end: 3_400 }]);
});

it("a locked line keeps its place and stops the lines that are pushed", () => {
  const lines = LINES.map((one) => (one.id === "b" ? { ...one, locked: true } : one));
  const push = { ...free, cascade: true };
  expect(dragChanges(lines, "b", "body", 500, new Set(["b"]), push)).toEqual([]);
  expect(dragChanges(lines, "a", "body", 3_000, new Set(["a"]), push)).toEqual([
    { line: "a", start: 1_000, end: 2_000 },
  ]);
  expect(dragChanges(lines, "a", "body", 3_000, all, push)).toEqual([
    { line: "a", start: 1_000, end: 2_000 },
    { line: "c", start: 5_000, end: 6_000 },
  ]);
  expect(dragChanges(lines, "a", "end", 50, new Set(["a"]), { ...free, roll: true })).toEqual([]);
  expect(shifted(lines, all, 100).map((one) => one.line)).toEqual(["a", "c"]);
  expect(extended(lines, all, 5_000).map((one) => one.line)).toEqual(["a", "c"]);
});

it("snaps to the nearest target within reach", () => {
  expect(snapBy(1_000, [900, 1_050, 1_200], 80)).toBe(50);
  expect(snapBy(1_000, [900, 1_200], 80)).toBe(0);
  const rules = { ...free, targets: [3_040] };
  expect(dragChanges(LINES, "b", "end", 20, new Set(["b"]), rules)).toEqual([
    { line: "b", start: 2_000, end: 3_040 },
  ]);
});

it("stops at neighbours, or pushes them without changing their durations", () => {
  const one = new Set(["b"]);
  expect(dragChanges(LINES, "b", "body", 5_000, one, free)).toEqual([
    { line: "b", start: 3_000, end: 4_000 },
  ]);
  expect(dragChanges(LINES, "b", "body", 1_500, one, { ...free, cascade: true })).toEqual([
    { line: "b", start: 3_500, end: 4_500 },
    { line: "c", start: 4_500, end: 5_500 },
  ]);
  // Both neighbours lie between it and the beginning: there are 2 s of gaps to give, 1 s before the first.
  expect(dragChanges(LINES, "b", "body", -9_000, one, { ...free, cascade: true })).toEqual([
    { line: "b", start: 1_000, end: 2_000 },
  ]);
});

it("moves a selection together and rolls an edge with its neighbour", () => {
  expect(dragChanges(LINES, "a", "body", 800, new Set(["a", "b"]), free)).toEqual(
    [
      { line: "b", start: 2_800, end: 3_800 },
      { line: "a", start: 800, end: 1_800 },
    ].reverse(),
  );
  expect(dragChanges(LINES, "a", "end", 300, new Set(["a"]), { ...free, roll: true })).toEqual([
    { line: "a", end: 1_300 },
    { line: "b", start: 2_300 },
  ]);
});

it("draws a new line only on free time", () => {
  expect(freeSpan(LINES, 1_200, 3_000)).toEqual({ start: 1_200, end: 2_000 });
  expect(freeSpan(LINES, 1_800, 1_100)).toEqual({ start: 1_100, end: 1_800 });
  expect(freeSpan(LINES, 500, 900)).toBeUndefined();
});

it("gives words to the line beside at their true time", () => {
  const [a, b] = LINES;
  if (a === undefined || b === undefined) return;
  const word = a.words[1];
  expect(tailToNext(a, b, 1)).toEqual([
    { line: "a", content: "one", end: word?.start_ms },
    { line: "b", content: "two three", start: word?.start_ms },
  ]);
  expect(
    headToPrevious(a, { ...b, text: "three more", words: [...b.words, ...b.words] }, 1)?.[0],
  ).toMatchObject({ content: "one two three" });
  expect(tailToNext(b, a, 1)).toBeUndefined();
});

it("balances rows and breaks after punctuation", () => {
  expect(balanced("short", 42)).toBe("short");
  expect(balanced("When the boats come home, the harbour wakes and everybody sings", 42)).toBe(
    "When the boats come home,\nthe harbour wakes and everybody sings",
  );
});

it.each([
  ["今日は「いい天気」ですね。ちょっとコーヒーを飲みましょう", 23],
  ["เราไปเที่ยวทะเลกันเถอะนะครับวันนี้อากาศดีมาก", 30],
  ["我们今天去北京大学图书馆看书，你们几个来吗？", 16],
  ["Cela a coûté 10\u00a0000 euros, et vous en payez combien ?", 42],
])("balances %s without a forbidden break or a lost character", (text, maxRow) => {
  const [upper = "", lower = "", ...more] = balanced(text, maxRow).split("\n");
  expect(more).toEqual([]);
  expect(Math.max(visibleLength(upper), visibleLength(lower))).toBeLessThanOrEqual(maxRow);
  expect(forbiddenBreak(upper, lower)).toBeUndefined();
  expect(inOneRow(upper, lower)).toBe(text);
});

it("nudges edges, the edge between two lines and selected lines as far as there is room", () => {
  const [, b, c] = LINES;
  if (b === undefined || c === undefined) throw new Error("No lines.");
  const one = { ids: new Set(["b"]), cascade: false };
  const by =
    (ms: number): Distance =>
    (_, side) =>
      side * ms;
  const times = (start: number, end: number) => [{ line: "b", start, end }];
  expect(nudged(LINES, b, "start", by(-100), one)).toEqual(times(1_900, 3_000));
  expect(nudged(LINES, b, "end", by(5_000), one)).toEqual(times(2_000, 4_000));
  expect(nudged(LINES, b, "both", by(5_000), one)).toEqual(times(1_000, 4_000));
  expect(nudged(LINES, b, "both", by(-100), one)).toEqual(times(2_100, 2_900));
  expect(nudged(LINES, b, "edge", by(100), one)).toEqual([
    { line: "b", end: 3_100 },
    { line: "c", start: 4_100 },
  ]);
  expect(nudged(LINES, c, "edge", by(100), one)).toEqual([]);
  expect(nudged(LINES, b, "body", by(41.7), { ids: all, cascade: false })).toEqual([
    { line: "a", start: 42, end: 1_042 },
    { line: "b", start: 2_042, end: 3_042 },
    { line: "c", start: 4_042, end: 5_042 },
  ]);
});

it("in a video, drags and moves come to rest on frames, and never beyond a neighbour", () => {
  const frames = new Frames(29.97);
  const met = { ...free, frames };
  const [b, c] = [frames.start(60), frames.start(90)];
  const lines = [line("a", 0, "one"), line("b", b, "two"), line("c", c + 1_001, "three")];
  for (const by of [7, 33, 40, 100, 333, -7, -33, -100, -333]) {
    const [moved] = dragChanges(lines, "b", "body", by, new Set(["b"]), met);
    if (moved === undefined) continue;
    const first = frames.from(moved.start ?? 0);
    expect(moved).toEqual({ line: "b", start: frames.start(first), end: moved.end });
    expect(Math.abs((moved.end ?? 0) - (moved.start ?? 0) - 1_000)).toBeLessThanOrEqual(1);
    const [edge] = dragChanges(lines, "b", "start", by, new Set(["b"]), met);
    expect(edge?.start ?? b).toBe(frames.nearest(b + by));
  }
  expect(dragChanges(lines, "b", "body", 9_000, new Set(["b"]), met)).toEqual([
    { line: "b", start: c + 1, end: c + 1_001 },
  ]);
});

it("meets frames, keeps each line, lets none overlap and leaves locked ones", () => {
  const frames = new Frames(25);
  const at = (id: string, start_ms: number, end_ms: number, locked = false) => ({
    ...line(id, start_ms, id),
    start_ms,
    end_ms,
    locked,
  });
  const lines = [
    at("a", 1_010, 1_990),
    at("b", 1_995, 2_001),
    at("c", 2_003, 2_004),
    at("d", 5_001, 6_001, true),
  ];
  const ids = new Set(["a", "b", "c", "d"]);
  expect(onGrid(lines, ids, frames)).toEqual([
    { line: "a", start: 1_000, end: 2_000 },
    { line: "b", start: 2_000, end: 2_040 },
    { line: "c", start: 2_040, end: 2_080 },
  ]);
  const met = [at("a", 1_000, 2_000), at("b", 2_000, 2_040)];
  expect(onGrid(met, ids, frames)).toEqual([]);
});

it("converts times between rates, and back to within a millisecond", () => {
  expect(factorOf(25, 24)).toBeCloseTo(25 / 24, 12);
  // An hour of film on television comes 2 minutes and 33.6 seconds sooner than on the web.
  const [hour] = scaled([line("a", 3_600_000, "x")], factorOf(25, 23.976));
  expect(hour?.start).toBe(3_753_750);
  for (const from of RATES)
    for (const to of RATES) {
      const there = scaled(LINES, factorOf(from, to));
      const lines = LINES.map((one, index) => ({
        ...one,
        start_ms: there[index]?.start ?? one.start_ms,
        end_ms: there[index]?.end ?? one.end_ms,
      }));
      for (const { line: id, start } of scaled(lines, factorOf(to, from))) {
        const before = LINES.find((one) => one.id === id);
        expect(Math.abs((start ?? 0) - (before?.start_ms ?? 0))).toBeLessThanOrEqual(1);
      }
    }
});

it("leaves a time before the film as it is, so that the move is refused and not shortened", () => {
  const frames = new Frames(25);
  expect(snapped([{ line: "a", start: -60, end: 61 }], frames)).toEqual([
    { line: "a", start: -60, end: 80 },
  ]);
  expect(snapped([{ line: "a", end: 61 }], undefined)).toEqual([{ line: "a", end: 61 }]);
});
