import { describe, expect, it } from "vitest";
import { parseStamp, stamp, visibleLength } from "./times";

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

it.each([
  ["þæö", 3],
  ["e\u0301t\u0301", 2],
  ["👩‍👩‍👧 ok", 4],
  ["{\\an8}up", 2],
  ["<i>so</i>", 2],
  ["日本語", 3],
])("counts %s as the server does", (text, length) => expect(visibleLength(text)).toBe(length));
