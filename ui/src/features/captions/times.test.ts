import { describe, expect, it } from "vitest";
import { pace, parseStamp, stamp } from "./times";

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
    ["one\ntwo\nthree", true],
  ])("rows of %s", (text, tooLong) => expect(pace(text, 0, 7000).tooLong).toBe(tooLong));

  it.each([
    ["þæö", 3],
    ["e\u0301t\u0301", 2],
    ["👩‍👩‍👧 ok", 4],
    ["日本語", 3],
  ])("counts %s as a reader does", (text, longest) =>
    expect(pace(text, 0, 1000).longest).toBe(longest),
  );
});
