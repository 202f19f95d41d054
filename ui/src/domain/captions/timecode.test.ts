import { describe, expect, it } from "vitest";
import { canDrop, countingOf, frameOf, RATES, timecodeOf } from "./timecode";

const DROP = countingOf(29.97, true);

describe("time addresses", () => {
  it.each([
    [0, "00:00:00;00"],
    [1_799, "00:00:59;29"],
    // The first address of a minute without its first two numbers.
    [1_800, "00:01:00;02"],
    [17_981, "00:09:59;29"],
    [17_982, "00:10:00;00"],
    [107_892, "01:00:00;00"],
    [107_892 * 10 + 1_800, "10:01:00;02"],
  ])("frame %d at 29.97 is %s", (frame, text) => {
    expect(timecodeOf(frame, DROP)).toBe(text);
    expect(frameOf(text, DROP)).toBe(frame);
  });

  it.each(RATES.flatMap((fps) => [true, false].map((drop) => [fps, drop] as const)))(
    "at %d, dropping %s, every frame comes back, and times go up",
    (fps, drop) => {
      const counting = countingOf(fps, drop);
      let last = "";
      for (let frame = 0; frame < 200_000; frame += frame < 40_000 ? 1 : 97) {
        const text = timecodeOf(frame, counting);
        expect(text > last).toBe(true);
        if (frameOf(text, counting) !== frame) expect.unreachable(`${frame} became ${text}`);
        last = text;
      }
    },
  );

  it("an hour of drop-frame addresses is an hour of the clock", () => {
    for (const fps of [29.97, 59.94]) {
      const counting = countingOf(fps, true);
      const seconds = ((frameOf("01:00:00;00", counting) ?? 0) * 1.001) / counting.base;
      expect(seconds).toBeCloseTo(3600, 0);
    }
  });

  it("drops only where there is such counting", () => {
    expect(RATES.filter(canDrop)).toEqual([29.97, 59.94]);
    expect(timecodeOf(24, countingOf(23.976, true))).toBe("00:00:01:00");
  });

  it.each([
    ["1:2:3:4", 3_723 * 25 + 4],
    ["12:03", 12 * 25 + 3],
    ["1203", 12 * 25 + 3],
    ["01020304", 3_723 * 25 + 4],
    ["01.02.03.04", 3_723 * 25 + 4],
    [" 00:00:01:24 ", 49],
    ["00:00:01:25", undefined],
    ["00:60:00:00", undefined],
    ["00:00:60:00", undefined],
    ["12", undefined],
    ["a:b", undefined],
    ["", undefined],
  ])("typed at 25 a second, %s", (text, frame) => {
    expect(frameOf(text, countingOf(25, false))).toBe(frame);
  });

  it("takes a number that is left out for the next one", () => {
    expect(frameOf("00:01:00;00", DROP)).toBe(1_800);
    expect(frameOf("00:01:00;01", DROP)).toBe(1_800);
    expect(frameOf("00:10:00;00", DROP)).toBe(17_982);
  });
});
