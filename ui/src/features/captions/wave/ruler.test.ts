import { describe, expect, it } from "vitest";
import { ticksBetween } from "./ruler";

const FOUR_HOURS = 14_400;
const VIEW_PX = 1_360;

describe("the ruler", () => {
  it.each([0.1, 1, 12, 25, 50, 90, 160, 300])("draws few ticks at %d pixels a second", (scale) => {
    const from = 7_000;
    const ticks = ticksBetween(from, Math.min(FOUR_HOURS, from + VIEW_PX / scale), scale);
    const labels = ticks.filter((tick) => tick.label !== undefined);
    expect(ticks.length).toBeLessThan(110);
    expect(labels.length).toBeLessThanOrEqual(VIEW_PX / 80 + 1);
    const gaps = labels.slice(1).map((tick, index) => tick.second - (labels[index]?.second ?? 0));
    expect(gaps.every((gap) => gap * scale >= 80)).toBe(true);
  });

  it("names times as a clock does", () => {
    const labels = (from: number, to: number, scale: number) =>
      ticksBetween(from, to, scale).flatMap(({ label }) => label ?? []);
    expect(labels(0, 2, 160)).toEqual(["0:00", "0:00.5", "0:01", "0:01.5", "0:02"]);
    expect(labels(3_590, 3_610, 12)).toEqual(["59:50", "1:00:00", "1:00:10"]);
  });

  it("covers a whole file of four hours in one view", () => {
    const labels = ticksBetween(0, FOUR_HOURS, VIEW_PX / FOUR_HOURS).filter(({ label }) => label);
    expect(labels.length).toBeGreaterThan(3);
  });
});
