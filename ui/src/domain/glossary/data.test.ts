import { expect, it } from "vitest";
import type { Term } from "./types";
import { search, termsFor } from "./data";

const term = (source: string, target: string, more: Partial<Term> = {}) =>
  ({ id: source, source, target, from: null, to: null, note: "", ...more }) as Term;

const TERMS = [
  term("harbour", "höfn", { from: "en-US", to: "is-IS" }),
  term("Reykjavík", "Reykjavík"),
  term("pier", "muelle", { from: "en", to: "es", note: "Not dock" }),
];

it("uses the terms of a pair of languages and those of all", () => {
  const sources = (from: string, to: string) =>
    termsFor(TERMS, from, to).map(({ source }) => source);
  expect(sources("en-GB", "is")).toEqual(["harbour", "Reykjavík"]);
  expect(sources("en", "es-ES")).toEqual(["Reykjavík", "pier"]);
  expect(sources("is", "en")).toEqual(["Reykjavík"]);
});

it("searches both sides and the note, whatever the case", () => {
  const sources = (words: string) => search(TERMS, words).map(({ source }) => source);
  expect(sources("")).toEqual(["harbour", "pier", "Reykjavík"]);
  expect(sources("HÖFN")).toEqual(["harbour"]);
  expect(sources(" dock ")).toEqual(["pier"]);
});
