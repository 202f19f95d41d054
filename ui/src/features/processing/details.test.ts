import { expect, it } from "vitest";
import { requestFacts, attemptWords } from "./details";

const say = { language: (code: string) => `<${code}>`, clock: (ms: number) => `${ms} ms` };

it("names the request in words and leaves out what it does not know", () => {
  const request = { language: "is-IS", max_row: 42, gap_ms: 100, unknown: "x" };
  expect(requestFacts(request, say)).toEqual([
    ["Language", "<is-IS>"],
    ["Row length", "up to 42 characters"],
    ["Gap between captions", "0.1 s"],
  ]);
  expect(requestFacts({ language: "auto" }, say)).toEqual([["Language", "Detected"]]);
});

it("says what became of each attempt", () => {
  const attempt = {
    number: 1,
    started_at: "2026-01-01T00:00:00Z",
    ended_at: "2026-01-01T00:00:30Z",
    ending: "retried" as const,
    note: "The model is busy.",
  };
  expect(attemptWords(attempt)).toBe(
    "Attempt 1: failed and was retried after 30 seconds. The model is busy.",
  );
  expect(attemptWords({ ...attempt, ended_at: null, ending: null, note: null })).toBe(
    "Attempt 1: running.",
  );
});
