import { describe, expect, it } from "vitest";
import type { Fetch, Model } from "./data";
import { exampleModel } from "./exampleModel";
import { lookAgainMs } from "./timing";

const model = (engine: string, state?: Fetch["state"]): Model =>
  exampleModel({
    engine,
    label: engine,
    fetch:
      state === undefined
        ? null
        : { model: "base", state, bytes_done: 0, bytes_total: 0, sentence: "" },
  });

describe("lookAgainMs", () => {
  it("looks often while the model moves, and never stops looking", () => {
    const moving = lookAgainMs(undefined);
    expect(lookAgainMs(model("pocketsphinx", "running"))).toBe(moving);
    expect(lookAgainMs(model("pocketsphinx", "ready"))).toBe(moving);
    for (const steady of [
      model("whisper", "ready"),
      model("whisper"),
      model("pocketsphinx", "off"),
    ]) {
      expect(lookAgainMs(steady)).toBeGreaterThan(10 * moving);
    }
  });
});
