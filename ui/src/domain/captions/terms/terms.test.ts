import { describe, expect, it } from "vitest";
import type { Term } from "../../glossary/types";
import { TermIndex } from "./TermIndex";
import { certainPlace, withTerm } from "./offers";

const term = (source: string, target: string, more: Partial<Term> = {}) =>
  ({
    ...{ id: source, source, target, from: null, to: null, note: "", case: false, scope: "user" },
    ...more,
  }) as Term;

const placed = (index: TermIndex, text: string): string[] =>
  index.placesIn(text).map(({ start, end }) => text.slice(start, end));

describe("terms in a text of the original", () => {
  it("are found in any form, without the punctuation around them, the longer one first", () => {
    const index = new TermIndex(
      [
        term("hestur", "horse"),
        term("Sameinuðu þjóðirnar", "United Nations"),
        term("þjóð", "nation"),
      ],
      "is-IS",
      "en-US",
    );
    const text = "„Hestinum,“ sögðu Sameinuðu þjóðirnar, og gata.";
    expect(placed(index, text)).toEqual(["Hestinum", "Sameinuðu þjóðirnar"]);
  });

  it("follow capitals only where the term asks for them, and languages", () => {
    const polish = term("Polish", "pólskur", { case: true, from: "en-US", to: "is-IS" });
    expect(placed(new TermIndex([polish], "en-GB", "is-IS"), "polish the Polish car")).toEqual([
      "Polish",
    ]);
    expect(new TermIndex([polish], "en-GB", "de-DE").isEmpty).toBe(true);
    expect(new TermIndex([polish], "en-GB").isEmpty).toBe(false);
  });

  it("are found in scripts without spaces", () => {
    expect(placed(new TermIndex([term("東京", "Tokyo")], "ja", "en"), "私は東京に住む")).toEqual([
      "東京",
    ]);
  });

  it("take the team's wish before a person's own", () => {
    const index = new TermIndex(
      [term("pier", "bryggja", { id: "team", scope: "team" }), term("pier", "hafnargarður")],
      "en",
      "is",
    );
    expect(index.placesIn("the pier").map((each) => each.term.id)).toEqual(["team"]);
  });
});

describe("terms that a translation misses", () => {
  const index = new TermIndex(
    [
      term("horse", "hestur"),
      term("Sagascript", "Sagascript"),
      term("NATO", "NATO", { case: true }),
    ],
    "en",
    "is",
  );
  const missing = (source: string, text: string) =>
    index.missing(source, text).map(({ target }) => target);

  it("are those whose translation stands there in no form", () => {
    expect(missing("Two horses ran.", "Tveir hestar hlupu.")).toEqual([]);
    expect(missing("Two horses ran.", "Tvö hross hlupu.")).toEqual(["hestur"]);
    expect(missing("No term here.", "Ekkert.")).toEqual([]);
  });

  it("may get an ending where they stay as they are, but no other letters", () => {
    expect(missing("Use Sagascript.", "Notaðu Sagascripts.")).toEqual([]);
    expect(missing("Use Sagascript and NATO.", "Notaðu söguritið og nato.")).toEqual([
      "Sagascript",
      "NATO",
    ]);
  });

  it("are not counted in a line without text", () => expect(missing("horse", "")).toEqual([]));
});

describe("putting a term in", () => {
  const offer = (wanted: Term, text: string, source: string) => {
    const place = certainPlace(wanted, text, source);
    return place && withTerm(wanted, text, place).content;
  };

  it("replaces words that were left untranslated or are spelled another way", () => {
    expect(offer(term("horse", "hestur"), "Þetta er horse, já.", "en")).toBe(
      "Þetta er hestur, já.",
    );
    expect(offer(term("Húsavík", "Húsavík"), "We saw Husavik.", "is")).toBe("We saw Húsavík.");
    expect(offer(term("hestur", "horse"), "Hestur ran.", "is")).toBe("Horse ran.");
  });

  it("offers no words that may mean something else", () => {
    expect(offer(term("horse", "hestur"), "Hross.", "en")).toBeUndefined();
    expect(offer(term("horse", "hestur"), "horse og horse", "en")).toBeUndefined();
  });

  it("puts spaces where words would touch", () => {
    const horse = term("hestur", "horse");
    const at = (text: string, start: number) => withTerm(horse, text, { start, end: start });
    expect(at("The ran.", 4).content).toBe("The horse ran.");
    expect(at("The ran.", 3)).toEqual({ replaced: "", content: "The horse ran.", caret: 9 });
    expect(at("", 0).content).toBe("horse");
  });
});
