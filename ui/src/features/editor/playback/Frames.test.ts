import { expect, it } from "vitest";
import { Frames } from "./Frames";

const RATES = [23.976, 24, 25, 29.97, 30, 47.952, 50, 59.94, 60, 12.5];
const HOUR_MS = 3_600_000;

/** Presentation times of a real file, in seconds. */
const exact = (fps: number, number: number): number =>
  number / (Number.isInteger(fps) || fps === 12.5 ? fps : Math.ceil(fps) / 1.001);

it.each(RATES)("at %d, a time taken anywhere in a frame shows from that frame on", (fps) => {
  const length = exact(fps, 1);
  for (const phase of [0, 0.021, 0.0667]) {
    const frames = new Frames(fps);
    frames.meet((phase + exact(fps, 5)) * 1000);
    for (const number of [0, 1, 2, 7, 196, 1_799, 4 * 3_600 * 12]) {
      const starts = (exact(fps, number) + phase) * 1000;
      for (const part of [0.01, 0.4, 0.99]) {
        const at = frames.start(frames.at(starts + part * length * 1000));
        expect(at).toBeLessThanOrEqual(starts + 0.0001);
        expect(at).toBeGreaterThan(starts - 1.01);
        const middle = frames.middle(frames.at(at + 1));
        expect(middle).toBeCloseTo(starts + length * 500, 0);
      }
    }
  }
});

it("the frame with number 196 at 29.97 starts at 6539 ms", () => {
  const frames = new Frames(29.97);
  expect(frames.start(frames.at(6_553))).toBe(6_539);
  expect(frames.from(6_539)).toBe(196);
  // What was taken between two frames shows from the later one on.
  expect(frames.from(6_553)).toBe(197);
});

it.each(RATES)("at %d, a step and its opposite lead back, one frame at a time", (fps) => {
  const frames = new Frames(fps);
  let at = frames.start(100);
  for (let number = 100; number < 400; number += 1) {
    expect(at).toBe(frames.start(number));
    expect(frames.moved(frames.moved(at, 1), -1)).toBe(at);
    expect(frames.moved(frames.moved(at, 100), -100)).toBe(at);
    at = frames.moved(at, frames.lengthMs);
  }
  expect(frames.moved(0, -40)).toBe(0);
  expect(frames.nearest(HOUR_MS) - HOUR_MS).toBeLessThanOrEqual(frames.lengthMs / 2);
});

it("new lines lie within their room", () => {
  const frames = new Frames(25);
  expect(frames.inside(1_001, 2_999)).toEqual({ start: 1_040, end: 2_960 });
  expect(frames.inside(1_000, 2_000)).toEqual({ start: 1_000, end: 2_000 });
  expect(frames.inside(1_001, 1_039)).toEqual({ start: 1_001, end: 1_039 });
});
