import { describe, expect, it } from "vitest";
import type { Line, Word } from "../../../domain/captions/types";
import { formsOf } from "./forms";
import { otherSpellings } from "./names";
import { progressOf } from "./progress";
import { openGroups, type LineFinding, type Sources } from "./spots";

const word = (text: string, confidence: number | null = 0.9, origin: Word["origin"] = "asr") =>
  ({ text, confidence, origin, start_ms: 0, end_ms: 1 }) as Word;
const line = (id: string, ...words: Word[]) =>
  ({ id, text: words.map(({ text }) => text).join(" "), words, source: null }) as unknown as Line;

const sources = (lines: Line[], more: Partial<Sources> = {}): Sources => ({
  lines,
  threshold: 0.6,
  isWrong: () => false,
  isKnown: () => false,
  findings: [],
  kept: new Set(),
  ...more,
});

describe("the review queue", () => {
  it("groups equal words, ranks by effect, and leaves out words that a person wrote", () => {
    const lines = [
      line("a", word("hvalr", 0.2), word("so", 0.1, "human"), word("maybe", 0.3)),
      line("b", word("hvalr", 0.2)),
      line("c", word("fine")),
    ];
    const groups = openGroups(sources(lines, { isWrong: (one) => one === "hvalr" }));
    expect(groups.map((one) => [one.kind, one.word, one.spots.length])).toEqual([
      ["unknown", "hvalr", 2],
      ["doubtful", "maybe", 1],
    ]);
  });

  it("lists a name that a person spelled two ways", () => {
    const typed = ["in Húsavík", "from Húsavík", "in Husavik"].map((text, at) =>
      line(String(at), ...text.split(" ").map((one) => word(one, null, "human"))),
    );
    const groups = openGroups(sources(typed, { isWrong: () => true }));
    expect(groups.map((one) => [one.kind, one.word, one.instead])).toEqual([
      ["name", "Husavik", "Húsavík"],
    ]);
  });

  it("hides what somebody kept, until the words around it change", () => {
    const before = [line("a", word("the"), word("harbr", 0.2))];
    const [group] = openGroups(sources(before));
    const kept = new Set(group?.spots.map((spot) => `${spot.line}|${spot.key}`));
    expect(openGroups(sources(before, { kept }))).toEqual([]);
    const after = [line("a", word("a"), word("harbr", 0.2))];
    expect(openGroups(sources(after, { kept }))).toHaveLength(1);
  });

  it("shows findings and stale translations", () => {
    const stale = {
      ...line("b", word("höfn")),
      source: { ids: [], text: "x", now: "y", stale: true, by: "model", flags: [] },
    } as unknown as Line;
    const slow = { title: "Too fast to read", fix: null, reason: "" };
    const findings: LineFinding[] = [
      { line: "a", rule: "too_fast", sentence: "20 characters a second.", ...slow },
      { line: "b", rule: "too_fast", sentence: "30 characters a second.", ...slow },
    ];
    const groups = openGroups(sources([line("a", word("harbour")), stale], { findings }));
    expect(groups.map(({ kind, word: what }) => [kind, what])).toEqual([
      ["finding", "Too fast to read"],
      ["stale", "y"],
    ]);
    expect(groups[0]?.spots.map(({ word: what }) => what)).toEqual([
      "20 characters a second.",
      "30 characters a second.",
    ]);
  });
});

it("finds names spelled two ways, but no forms of one name", () => {
  const text = (...texts: string[]) => texts.map((one) => ({ text: one }));
  const lines = text(
    "in Húsavík today",
    "from Húsavík",
    "in Husavik",
    "with Sigurdsson",
    "and Sigurtsson, Sigurdsson",
    "til Húsavíkur",
    "Harbour opens",
  );
  expect(otherSpellings(lines)).toEqual([
    { word: "Husavik", instead: "Húsavík" },
    { word: "Sigurtsson", instead: "Sigurdsson" },
  ]);
});

it("prefers the spelling with accents where both are as frequent", () => {
  const lines = ["in Husavik", "from Húsavík"].map((text) => ({ text }));
  expect(otherSpellings(lines)).toEqual([{ word: "Husavik", instead: "Húsavík" }]);
});

it("offers the same correction for other forms", () => {
  const words = new Map([
    ["Husavik", 2],
    ["Husavikur", 1],
    ["Husavogur", 1],
  ]);
  expect(formsOf("Husavik", "Húsavík", words)).toEqual([
    { from: "Husavik", to: "Húsavík", count: 2 },
    { from: "Husavikur", to: "Húsavíkur", count: 1 },
  ]);
});

it("tells how far the review is", () => {
  expect(progressOf(62, 38, 60, { decisions: 0, spentMs: 0 })).toEqual({ percent: 62, minutes: 6 });
  expect(progressOf(0, 0, 0, { decisions: 0, spentMs: 0 })).toEqual({ percent: 100, minutes: 0 });
  expect(progressOf(9, 1, 30, { decisions: 10, spentMs: 100_000 }).minutes).toBe(5);
});
