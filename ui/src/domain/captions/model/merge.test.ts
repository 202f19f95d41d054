import { describe, expect, it } from "vitest";
import { caretAfter, mergeTexts, tokensOf } from "./merge";

const BASE = "so the men move on into more";

describe("two changes of one text", () => {
  it.each([
    [
      "so the men move off into more",
      "so the women move on into more",
      "so the women move off into more",
    ],
    [
      "so the men move on into more land",
      "so the men move on into less",
      "so the men move on into less land",
    ],
    ["and so the men move on into more", "so the men move on", "and so the men move on"],
    ["so men move on into more", "so the women move on into more", "so women move on into more"],
    [
      "so the men\nmove on into more",
      "so the men move on into less",
      "so the men\nmove on into less",
    ],
    [BASE, "theirs", "theirs"],
    ["mine", BASE, "mine"],
    ["both", "both", "both"],
  ])("are joined: %j and %j", (mine, theirs, merged) => {
    expect(mergeTexts(BASE, mine, theirs)).toBe(merged);
    expect(mergeTexts(BASE, theirs, mine)).toBe(merged);
  });

  it.each([
    ["so the men move on into here", "so the men move on into there"],
    ["so the men move on into more land", "so the men move on into more sea"],
    ["mine entirely", "theirs entirely"],
  ])("clash where they touch the same words: %j and %j", (mine, theirs) => {
    expect(mergeTexts(BASE, mine, theirs)).toBeUndefined();
  });

  it("of a script without spaces are joined by its characters", () => {
    expect(mergeTexts("私は行く", "私も行く", "私は行った")).toBe("私も行った");
  });
});

/** Numbers from 0 up to 1, the same for a seed. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 4_294_967_296;
  };
}

it("never loses a word that one of them wrote, however both change it", () => {
  const next = chance(7);
  const pick = (words: string[]) => words[Math.floor(next() * words.length)] ?? "";
  const changed = (words: string[], mark: string): string[] =>
    words.flatMap((word, index) => {
      const dice = next();
      if (dice < 0.1) return [];
      if (dice < 0.2) return [`${mark}${index}`];
      return dice < 0.25 ? [word, `${mark}+${index}`] : [word];
    });
  let joined = 0;
  for (let round = 0; round < 3_000; round += 1) {
    const base = Array.from({ length: 1 + Math.floor(next() * 12) }, () =>
      pick(["a", "b", "c", "d e"]),
    );
    const [mine, theirs] = [changed(base, "m").join(" "), changed(base, "t").join(" ")];
    const merged = mergeTexts(base.join(" "), mine, theirs);
    expect(mergeTexts(base.join(" "), theirs, mine)).toBe(merged);
    if (merged === undefined) continue;
    joined += 1;
    const words = merged.split(/\s+/u);
    const written = `${mine} ${theirs}`.split(/\s+/u).filter((word) => /^[mt]/u.test(word));
    expect(words).toEqual(expect.arrayContaining(written));
  }
  expect(joined).toBeGreaterThan(500);
});

it("takes any text apart without losing a letter", () => {
  for (const text of [" a  b\n", "\u0300x 私は🙂 ok", "", "\t", "ที่นี่ x"]) {
    expect(tokensOf(text).join("")).toBe(text);
  }
});

it.each([
  ["one two", "one tw", 3, 3],
  ["one two", "zero one two", 7, 12],
  ["one two", "one and two", 5, 9],
  ["one two three", "one 2 three", 5, 5],
])("keeps the caret at its letters: %j → %j", (old, fresh, caret, wanted) => {
  expect(caretAfter(old, fresh, caret)).toBe(wanted);
});
