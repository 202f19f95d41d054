import { describe, expect, it } from "vitest";
import type { Line } from "./types";
import { overlaid, spokenAt, stretches, wordAt } from "./marks";

const word = (text: string, start_ms: number, confidence: number | null, origin = "asr") => ({
  text,
  start_ms,
  end_ms: start_ms + 100,
  confidence,
  origin: origin as "asr",
});
const line = (text: string, words: ReturnType<typeof word>[]) =>
  ({ text, words }) as unknown as Line;

describe("words in a line's text", () => {
  it("are found across rows, and doubtful ones are marked", () => {
    const found = stretches(
      line("We saw\nHúsavík.", [
        word("We", 0, 0.9),
        word("saw", 100, 0.3),
        word("Húsavík.", 300, null),
      ]),
    );
    expect(found?.map((one) => one.text)).toEqual(["We", " ", "saw", "\n", "Húsavík."]);
    expect(found?.map((one) => one.doubtful)).toEqual([false, false, true, false, false]);
    expect(found?.map((one) => one.word)).toEqual([0, undefined, 1, undefined, 2]);
  });

  it("are not marked when a person wrote them", () => {
    const found = stretches(line("so", [word("so", 0, 0.1, "human")]));
    expect(found?.[0]?.doubtful).toBe(false);
  });

  it("are left alone when the text says something else", () => {
    expect(stretches(line("We see", [word("We", 0, 1), word("saw", 1, 1)]))).toBeUndefined();
    expect(stretches(line("We saw it", [word("We", 0, 1), word("saw", 1, 1)]))).toBeUndefined();
  });

  it("show how they are set, with the space between two words of one style", () => {
    const italic = (text: string, at: number) => ({
      ...word(text, at, 1),
      styles: ["italic" as const],
    });
    const words = [word("say", 0, 1), italic("this", 1), italic("word", 2)];
    const found = stretches(line("say this word", words));
    expect(found?.map((one) => one.look.join())).toEqual(["", "", "italic", "italic", "italic"]);
  });

  it("know when the word at the caret is spoken, or the one before", () => {
    const two = line("We saw", [word("We", 100, 1), word("saw", 400, 1)]);
    const spoken = (at: number) => spokenAt(two, stretches(two) ?? [], at);
    expect([0, 2, 3, 6].map(spoken)).toEqual([100, 100, 400, 400]);
    expect(spokenAt(two, [], 3)).toBeUndefined();
  });

  it("follow the sound", () => {
    const two = line("a b", [word("a", 0, 1), word("b", 200, 1)]);
    expect([0, 99, 150, 250].map((ms) => wordAt(two, ms))).toEqual([0, 0, -1, 1]);
  });
});

it("cuts a text where marks of several layers begin and end", () => {
  const parts = overlaid("abcdef", { found: [{ start: 1, end: 4 }], said: [{ start: 3, end: 6 }] });
  expect(parts.map(({ text, layers }) => [text, [...layers].sort().join()])).toEqual([
    ["a", ""],
    ["bc", "found"],
    ["d", "found,said"],
    ["ef", "said"],
  ]);
});
