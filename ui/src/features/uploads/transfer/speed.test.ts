import { describe, expect, it } from "vitest";
import { SpeedMeter } from "./speed";

describe("SpeedMeter", () => {
  it("tells the time left from the average speed", () => {
    const meter = new SpeedMeter();
    meter.begin("a", 0, 0);
    expect(meter.left("a", 100, 400, 2_000)).toBe(6);
    expect(meter.left("a", 200, 400, 10_000)).toBe(10);
  });

  it("does not count the bytes of an earlier session", () => {
    const meter = new SpeedMeter();
    meter.begin("a", 900, 0);
    expect(meter.left("a", 910, 1_000, 1_000)).toBe(9);
  });

  it("says nothing when there is too little to tell", () => {
    const meter = new SpeedMeter();
    expect(meter.left("a", 10, 100, 5_000)).toBeUndefined();
    meter.begin("a", 0, 0);
    expect(meter.left("a", 10, 100, 500)).toBeUndefined();
    expect(meter.left("a", 100, 100, 5_000)).toBeUndefined();
    meter.forget("a");
    expect(meter.left("a", 10, 100, 5_000)).toBeUndefined();
  });
});
