import { describe, expect, it } from "vitest";
import type { Translation } from "./types";
import { percentOf, progressWords, summaryWords } from "./words";

const translation = (more: Partial<Translation>) =>
  ({
    state: "ready",
    lines: 120,
    stale: 0,
    flagged: 0,
    lines_done: 0,
    lines_total: 0,
    eta_s: null,
    queue_place: null,
    retry_at: null,
    stalled_s: null,
    error: null,
    ...more,
  }) as Translation;

describe("a translation in words", () => {
  it.each<[Partial<Translation>, string]>([
    [{ state: "waiting" }, "Waiting to start"],
    [{ state: "waiting", queue_place: 2 }, "Second in line"],
    [{ state: "running" }, "Starting"],
    [
      { state: "waiting", retry_at: "2020-01-01T00:00:00Z" },
      "That did not work. Trying again now.",
    ],
    [{ state: "running", lines_done: 40, lines_total: 1_200 }, "40 of 1,200 lines"],
    [
      { state: "running", lines_done: 1, lines_total: 2, eta_s: 20 },
      "1 of 2 lines · about 20 s left",
    ],
  ])("%o", (more, words) => expect(progressWords(translation(more))).toBe(words));

  it.each<[Partial<Translation>, string]>([
    [{}, "120 lines"],
    [{ lines: 1, stale: 1 }, "1 line · 1 out of date"],
    [{ stale: 3, flagged: 2 }, "120 lines · 3 out of date · 2 to check"],
    [{ state: "failed", error: "Broken." }, "Not finished: an error occurred"],
    [{ state: "cancelled", lines: 0 }, "Cancelled"],
    [{ state: "cancelled", lines: 7 }, "7 lines"],
    [{ state: "running", lines_done: 1, lines_total: 4 }, "1 of 4 lines"],
  ])("%o in a list", (more, words) => expect(summaryWords(translation(more))).toBe(words));

  it("has a percentage from the start", () => {
    expect(percentOf(translation({ lines_done: 1, lines_total: 3 }))).toBe(33);
    expect(percentOf(translation({}))).toBe(0);
  });
});
