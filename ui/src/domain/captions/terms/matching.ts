/** Where a glossary term stands in a text, by the rules of `pipelines/translation/terms/glossary.py`. */
import type { Term } from "../../glossary/types";
import type { Range } from "../marks";
import { sameWord } from "../model/text";
import { isSameStem } from "./stems";

const ENDING_MAX = 4;
const WORD = /\S+/gu;
const LETTER = /[\p{L}\p{N}]/u;
const OTHERS = /[^\p{L}\p{N}]/gu;
const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/gu;

/** A word as it stands between spaces, and the place of its letters without the punctuation around them. */
export interface WordOf extends Range {
  text: string;
}

export function wordsOf(text: string): WordOf[] {
  return [...text.matchAll(WORD)].map((match) => {
    const word = match[0];
    const first = word.search(LETTER);
    if (first < 0) return { text: word, start: match.index, end: match.index + word.length };
    let last = word.length;
    while (last > first && !LETTER.test(word.charAt(last - 1))) last -= 1;
    return { text: word, start: match.index + first, end: match.index + last };
  });
}

/** Whether most letters belong to scripts written without spaces. */
export function isUnspaced(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters > 0 && 2 * (text.match(UNSPACED)?.length ?? 0) > letters;
}

/** Whether the term is not translated. */
export const stays = ({ source, target }: Pick<Term, "source" | "target">): boolean =>
  source.toLowerCase() === target.toLowerCase();

/** What sentences about a term name. */
export const pairOf = ({ source, target }: Term): { source: string; target: string } => ({
  source,
  target,
});

const bareOf = (word: string): string => word.replace(OTHERS, "");

const capitalsOf = (word: string): boolean[] =>
  [...word].map((letter) => letter !== letter.toLowerCase() && letter === letter.toUpperCase());

function hasSameCase(word: string, part: string): boolean {
  const [one, other] = [capitalsOf(bareOf(word)), capitalsOf(bareOf(part))];
  const common = Math.min(one.length, other.length);
  return one.slice(0, common).every((is, at) => is === other[at]);
}

const isForm = (word: string, part: string, language: string, isCased: boolean): boolean =>
  (!isCased || hasSameCase(word, part)) &&
  (sameWord(word) === sameWord(part) || isSameStem(word, part, language));

/** The places where every part of the term matches the word at its place. */
export function runsOf(
  words: readonly WordOf[],
  parts: readonly string[],
  matches: (word: string, part: string) => boolean,
): Range[] {
  const found: Range[] = [];
  for (let at = 0; at + parts.length <= words.length && parts.length > 0; at += 1) {
    if (!parts.every((part, index) => matches(words[at + index]?.text ?? "", part))) continue;
    found.push({ start: words[at]?.start ?? 0, end: words[at + parts.length - 1]?.end ?? 0 });
    at += parts.length - 1;
  }
  return found;
}

function literally(term: string, text: string, isCased: boolean): Range[] {
  const [wanted, inside] = isCased ? [term, text] : [term.toLowerCase(), text.toLowerCase()];
  const found: Range[] = [];
  // Letters that change their length with their case would shift the places.
  if (inside.length !== text.length) return found;
  for (let at = inside.indexOf(wanted); at >= 0; at = inside.indexOf(wanted, at + wanted.length))
    found.push({ start: at, end: at + wanted.length });
  return found;
}

/** Where the words of a term stand next to each other, each in any form of the language. */
export function placesOf(term: string, text: string, language: string, isCased: boolean): Range[] {
  if (isUnspaced(term)) return literally(term, text, isCased);
  const parts = wordsOf(term).map((each) => each.text);
  return runsOf(wordsOf(text), parts, (word, part) => isForm(word, part, language, isCased));
}

/** Whether a translation holds the term's target. A term that stays keeps its letters and may get an ending. */
export function isHeld(term: Term, text: string, language: string): boolean {
  if (!stays(term) || isUnspaced(term.target))
    return placesOf(term.target, text, language, term.case).length > 0;
  const fold = (word: string) => (term.case ? bareOf(word) : bareOf(word).toLowerCase());
  const parts = wordsOf(term.target).map((each) => each.text);
  const matches = (word: string, part: string) =>
    fold(word).startsWith(fold(part)) && fold(word).length - fold(part).length <= ENDING_MAX;
  return runsOf(wordsOf(text), parts, matches).length > 0;
}
