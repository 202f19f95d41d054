import { describe, expect, it } from "vitest";
import type { MediaFile } from "../../domain/files/data";
import { phaseWords, stepStates } from "./steps";

describe("the steps of a file", () => {
  it.each<[MediaFile["status"], number | null, string]>([
    ["uploading", null, "now ahead ahead"],
    ["waiting", null, "done now ahead"],
    ["processing", null, "done now ahead"],
    ["transcribing", 5_000, "done done now"],
    ["completed", 5_000, "done done done"],
    ["failed", null, "done failed ahead"],
    ["failed", 5_000, "done done failed"],
    ["abandoned", 5_000, "done done failed"],
  ])("%s with length %s", (status, duration_ms, states) => {
    expect(stepStates({ status, duration_ms, error_code: null }).join(" ")).toBe(states);
  });

  it("waits at the step whose language is in question", () => {
    const asking = {
      status: "failed",
      duration_ms: 5_000,
      error_code: "language_unsupported",
    } as const;
    expect(stepStates(asking).join(" ")).toBe("done done now");
  });
});

it("says what goes on in words people use", () => {
  expect(phaseWords({ status: "processing", phase: "decoding" })).toBe("Extracting the audio");
  expect(phaseWords({ status: "transcribing", phase: "" })).toBe("Getting ready to transcribe");
  expect(phaseWords({ status: "waiting", phase: "something new" })).toBe("In the queue");
});
