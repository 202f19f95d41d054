import { describe, expect, it } from "vitest";
import { exampleModel } from "./exampleModel";
import { unavailable } from "./unavailable";

describe("unavailable", () => {
  it("names tasks that no engine can do or whose engine failed, and leaves idle ones alone", () => {
    const models = [
      exampleModel({ task: "transcription", state: "failed" }),
      exampleModel({ task: "translation", state: "idle" }),
      exampleModel({ task: "text", state: "failed" }),
      exampleModel({ task: "diarization", state: "missing" }),
    ];
    expect(unavailable(models).map(({ task }) => task)).toEqual(["text", "diarization"]);
    expect(unavailable(undefined)).toEqual([]);
  });
});
