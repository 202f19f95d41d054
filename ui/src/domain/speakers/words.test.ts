import { expect, test } from "vitest";
import { detectionWords } from "./words";

const none = { state: "none", progress: 0, queue_place: null, error: null, speakers: [] } as const;

test("a detection says how far it is", () => {
  const words = [
    { ...none, state: "waiting", queue_place: 3 } as const,
    { ...none, state: "running", progress: 40 } as const,
    { ...none, state: "failed", error: "The sound is gone." } as const,
    { ...none, state: "ready" } as const,
  ].map((state) => detectionWords({ ...state, speakers: [] }));
  expect(words).toEqual([
    "Waiting to detect who speaks: number 3 in the queue.",
    "Detecting who speaks … 40 %",
    "The sound is gone.",
    "0 speakers",
  ]);
});
