import { describe, expect, it } from "vitest";
import { placeOf, toggled } from "./look";
import { newLine } from "../../domain/captions/model/line";
import { spread } from "../../domain/captions/model/realign";
import { wordUnits } from "../../domain/captions/model/text";
import type { Line, WordStyle } from "../../domain/captions/types";

const line = (text: string, styles: WordStyle[][] = []): Line => ({
  ...newLine("a", 0, 1_000),
  text,
  words: spread(wordUnits(text), 0, 1_000).map((word, index) => ({
    ...word,
    ...(styles[index] === undefined ? {} : { styles: styles[index] }),
  })),
});

describe("the style of words", () => {
  it("goes on for the words that a selection touches", () => {
    expect(toggled(line("one two three"), "italic", { from: 5, to: 9 })).toEqual([
      [],
      ["italic"],
      ["italic"],
    ]);
  });

  it("goes on for the word at the caret, and for the line where there is none", () => {
    expect(toggled(line("one two"), "bold", { from: 1, to: 1 })).toEqual([["bold"], []]);
    expect(toggled(line("one two"), "bold", undefined)).toEqual([["bold"], ["bold"]]);
  });

  it("goes off only where all words have it, and leaves other styles", () => {
    const half = line("one two", [["italic"], ["bold"]]);
    expect(toggled(half, "italic", undefined)).toEqual([["italic"], ["italic", "bold"]]);
    const all = line("one two", [["italic"], ["italic", "bold"]]);
    expect(toggled(all, "italic", undefined)).toEqual([[], ["bold"]]);
  });
});

it("A line at the bottom centre has no place", () => {
  expect(placeOf(2)).toBeNull();
  expect(placeOf(8)).toEqual({ align: 8, x: null, y: null });
});
