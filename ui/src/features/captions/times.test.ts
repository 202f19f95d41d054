import { describe, expect, it } from "vitest";
import { pace as paceOf, parseStamp, rulesFor, stamp } from "./times";

const RULES = { max_row: 42, max_rows: 2, warn_speed: 17, max_speed: 20 };
const pace = (text: string, start: number, end: number) => paceOf(text, start, end, RULES);

describe("caption times", () => {
  it.each([
    ["00:00:01,500", 1500],
    ["1:02:03.4", 3_723_400],
    ["2:03", 123_000],
    ["7,25", 7250],
  ])("reads %s", (text, ms) => expect(parseStamp(text)).toBe(ms));
  it.each(["", "1:75", "a", "00:00:01,5000", "1:2:3:4"])("refuses %s", (text) =>
    expect(parseStamp(text)).toBeUndefined(),
  );
  it("writes what it reads", () => {
    for (const ms of [0, 1, 999, 59_999, 3_599_999, 3_600_000])
      expect(parseStamp(stamp(ms))).toBe(ms);
  });
});

describe("pace", () => {
  it.each([
    ["a short line", 0, 2000, "fine"],
    ["eighteen characters", 0, 1000, "warn"],
    ["more than twenty characters", 0, 1000, "error"],
  ] as const)("%s", (text, start, end, level) => expect(pace(text, start, end).level).toBe(level));

  it.each([
    ["x".repeat(42), false],
    ["x".repeat(43), true],
    ["one\ntwo", false],
    [`<i>${"x".repeat(42)}</i>`, false],
  ])("rows of %s", (text, tooLong) => expect(pace(text, 0, 7000).tooLong).toBe(tooLong));

  it("has too many rows", () => {
    expect(pace("one\ntwo", 0, 7000).tooMany).toBe(false);
    expect(pace("one\ntwo\nthree", 0, 7000)).toMatchObject({ tooMany: true, tooLong: false });
  });

  it.each([
    ["þæö", 3],
    ["e\u0301t\u0301", 2],
    ["👩‍👩‍👧 ok", 6],
    ["{\\an8}up", 2],
    ["日本語", 3],
  ])("counts %s as the server does", (text, longest) =>
    expect(pace(text, 0, 1000).longest).toBe(longest),
  );
});

it("reads each language by its own rules", () => {
  const captions = { max_row: 42, max_rows: 2, warn_speed: 17, max_speed: 20 };
  const config = { captions, captions_by_language: { ja: { ...captions, max_speed: 4 } } };
  expect(rulesFor(config, "ja-JP").max_speed).toBe(4);
  expect(rulesFor(config, "is-IS")).toBe(captions);
  expect(rulesFor(config, undefined)).toBe(captions);
  // A surrogate pair is one character, and vowel marks take no room.
  expect(paceOf("𠮟る", 0, 1_000, rulesFor(config, "ja")).cps).toBe(2);
  expect(paceOf("مَرْحَبًا", 0, 1_000, captions).cps).toBe(5);
});
