import { expect, it } from "vitest";
import { positionWords, progressWords, spoken, stallWords } from "./waiting";

const running = {
  queue_place: null,
  progress: 12,
  eta_s: null,
  retry_at: null,
  attempt: 1,
  stalled_s: null,
};

it.each([
  [1, null, "Next in line"],
  [3, 240, "Third in line, about 4 minutes"],
  [2, 20, "Second in line, less than a minute"],
  [14, 7_500, "Number 14 in line, about 2 hours 5 minutes"],
])("position %d with %s seconds", (position, eta_s, words) => {
  expect(positionWords(position, eta_s)).toBe(words);
});

it.each([
  [1, "1 second"],
  [59.4, "59 seconds"],
  [60, "1 minute"],
  [3_600, "1 hour"],
])("%d seconds are said as %s", (seconds, words) => expect(spoken(seconds)).toBe(words));

it("says percent, time left, and that it is not the first attempt", () => {
  expect(progressWords(running)).toBe("12%");
  expect(progressWords({ ...running, eta_s: 90 })).toBe("12% · about 2 min left");
  expect(progressWords({ ...running, attempt: 2 })).toBe("Attempt 2 · 12%");
});

it("says when it is tried again", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const retry_at = "2026-01-01T00:00:20Z";
  expect(progressWords({ ...running, retry_at }, now)).toBe(
    "That did not work. Trying again in 20 seconds.",
  );
  expect(progressWords({ ...running, retry_at }, now + 30_000)).toContain("again now");
});

it("says how long nothing moved and what one may do", () => {
  expect(stallWords(125)).toBe(
    "No progress for 2 minutes. We are still trying. You can also cancel and start again.",
  );
});
