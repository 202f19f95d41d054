/** How a missing term can come into a translation. */
import type { Term } from "../../glossary/types";
import type { Range } from "../marks";
import { isUnspaced, placesOf, runsOf, stays, wordsOf } from "./matching";

const LETTERS_MIN = 5;

/** The text with a term in the place of some of its words. */
export interface Offer {
  /** The words that go; empty where the term is put in between. */
  replaced: string;
  content: string;
  /** The place after the term. */
  caret: number;
}

const folded = (word: string): string =>
  word
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();

/** Equal but for capitals, accents and one letter of a long word. */
function isNear(word: string, part: string): boolean {
  const [one, other] = [folded(word), folded(part)];
  if (one === other) return one !== "";
  if (one.length !== other.length || one.length < LETTERS_MIN) return false;
  return [...one].filter((letter, at) => letter !== other[at]).length === 1;
}

/**
 * The one place where the words that the term replaces are certain: it was left untranslated, or it is there in
 * another spelling. Undefined where there is none or more than one. `source` is the language of the original.
 */
export function certainPlace(term: Term, text: string, source: string): Range | undefined {
  const near = isUnspaced(term.target)
    ? []
    : runsOf(
        wordsOf(text),
        wordsOf(term.target).map((each) => each.text),
        isNear,
      );
  const left = stays(term) ? [] : placesOf(term.source, text, source, term.case);
  const places = near.length > 0 ? near : left;
  return places.length === 1 ? places[0] : undefined;
}

/** The term in place of a range, with spaces around it where there are none; a capital where a sentence begins. */
export function withTerm(term: Term, text: string, { start, end }: Range): Offer {
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const spaced = !isUnspaced(term.target);
  const isFirst =
    /^\p{Lu}/u.test(text.slice(start, end)) && /(^|[.!?…]["”’»]?\s+)[^\p{L}\p{N}]*$/u.test(before);
  const target = isFirst
    ? term.target.charAt(0).toLocaleUpperCase() + term.target.slice(1)
    : term.target;
  const head = spaced && /[\p{L}\p{N},.;:!?]$/u.test(before) ? `${before} ` : before;
  const tail = spaced && /^[\p{L}\p{N}]/u.test(after) ? ` ${after}` : after;
  const content = head + target + tail;
  return { replaced: text.slice(start, end), content, caret: head.length + target.length };
}
