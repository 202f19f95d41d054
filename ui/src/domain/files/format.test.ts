import { describe, expect, it } from "vitest";
import { bytes, clock, timeLeft } from "./format";

describe("format", () => {
  it.each([
    [0, "0:00"],
    [61_500, "1:01"],
    [3_600_000, "1:00:00"],
    [3_725_999, "1:02:05"],
  ])("clock %d", (ms, text) => expect(clock(ms)).toBe(text));
  it.each([
    [999, "999 B"],
    [1_500, "1.5 kB"],
    [50_000_000, "50 MB"],
    [1_234_000_000, "1.2 GB"],
  ])("bytes %d", (count, text) => expect(bytes(count)).toBe(text));
  it.each([
    [3, "a few seconds left"],
    [42, "about 40 s left"],
    [130, "about 2 min left"],
    [3_590, "about 1 h left"],
    [3_720, "about 1 h 2 min left"],
  ])("time left %d", (seconds, text) => expect(timeLeft(seconds)).toBe(text));
});
