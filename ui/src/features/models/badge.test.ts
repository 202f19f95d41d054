import { describe, expect, it } from "vitest";
import { badgeWords } from "./badge";
import { exampleModel } from "./exampleModel";
import type { Fetch } from "./data";

const fetching = { state: "running", bytes_done: 43, bytes_total: 100 } as Fetch;
const speakers = exampleModel({ task: "diarization", title: "Speakers", state: "missing" });

describe("badgeWords", () => {
  it("names what listens", () => {
    expect(badgeWords([exampleModel()], true)).toEqual({ words: "Whisper", tone: "quiet" });
  });

  it("says how far a better model is", () => {
    const words = badgeWords([exampleModel({ fetch: fetching }), speakers], true);
    expect(words).toEqual({ words: "Better model: 43%", tone: "moving" });
  });

  it("tells administrators alone what is missing", () => {
    const models = [exampleModel(), speakers];
    expect(badgeWords(models, true)).toEqual({ words: "Not available: Speakers", tone: "warn" });
    expect(badgeWords(models, false)?.words).toBe("Whisper");
  });

  it("tells everybody that nothing listens, whatever is on its way", () => {
    const models = [exampleModel({ state: "failed", fetch: fetching })];
    expect(badgeWords(models, false)).toEqual({ words: "No speech recognition", tone: "warn" });
  });

  it("says nothing before it knows", () => {
    expect(badgeWords(undefined, true)).toBeUndefined();
    expect(badgeWords([], true)).toBeUndefined();
  });
});
