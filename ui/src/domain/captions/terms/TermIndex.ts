import { termsFor } from "../../glossary/data";
import type { Term } from "../../glossary/types";
import type { Range } from "../marks";
import { isHeld, isUnspaced, placesOf, wordsOf } from "./matching";
import { stems } from "./stems";

/** A term and where it stands. */
export interface TermAt extends Range {
  term: Term;
}

/**
 * The terms of a glossary for one pair of languages, found by the stems of their first word: 5,000 terms cost a row
 * no more than 50. Without a `target`, the terms of any.
 */
export class TermIndex {
  private readonly byStem = new Map<string, Term[]>();
  private readonly unspaced: Term[] = [];

  constructor(
    terms: readonly Term[],
    private readonly source: string,
    readonly target?: string,
  ) {
    // Where a person and the team want a term translated differently, the team decides, as on the server.
    const chosen = new Map<string, Term>();
    const fitting = termsFor(terms, source, target);
    const inOrder = [...fitting].sort(
      (a, b) => Number(a.scope === "team") - Number(b.scope === "team"),
    );
    for (const term of inOrder)
      chosen.set(term.case ? term.source : term.source.toLowerCase(), term);
    for (const term of chosen.values()) {
      const first = wordsOf(term.source)[0]?.text;
      if (isUnspaced(term.source)) this.unspaced.push(term);
      else if (first !== undefined)
        for (const stem of stems(first, source))
          this.byStem.set(stem, [...(this.byStem.get(stem) ?? []), term]);
    }
  }

  get isEmpty(): boolean {
    return this.byStem.size === 0 && this.unspaced.length === 0;
  }

  /** Where terms stand in a text of the source, also inflected, in order. The longer of two at one place counts. */
  placesIn(text: string): TermAt[] {
    if (this.isEmpty) return [];
    const possible = new Set(this.unspaced);
    for (const { text: word } of wordsOf(text))
      for (const stem of stems(word, this.source))
        for (const term of this.byStem.get(stem) ?? []) possible.add(term);
    const found: TermAt[] = [];
    const longestFirst = [...possible].sort((a, b) => b.source.length - a.source.length);
    for (const term of longestFirst) {
      for (const place of placesOf(term.source, text, this.source, term.case)) {
        const isInside = found.some((one) => one.start < place.end && place.start < one.end);
        if (!isInside) found.push({ term, ...place });
      }
    }
    return found.sort((a, b) => a.start - b.start);
  }

  /** The terms of a source text whose target the translation misses, each once. */
  missing(source: string, translation: string): Term[] {
    const { target } = this;
    if (target === undefined || translation.trim() === "") return [];
    const terms = new Set(this.placesIn(source).map(({ term }) => term));
    return [...terms].filter((term) => !isHeld(term, translation, target));
  }
}
