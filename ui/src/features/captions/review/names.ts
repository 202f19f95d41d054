/** Names that the captions spell in two ways. */
import type { Line } from "../../../domain/captions/types";
import { wordsOf } from "../spelling/words";

export interface OtherSpelling {
  /** The rarer spelling, and the one to use instead. */
  word: string;
  instead: string;
}

/** Names that are compared; the most frequent ones of a long file. */
const NAMES_MAX = 600;
const LETTERS_MIN = 4;

const folded = (word: string): string =>
  word
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ð", "d")
    .replaceAll("þ", "th")
    .replaceAll("ø", "o")
    .replaceAll("æ", "ae")
    .replaceAll("ß", "ss");

/** Words with a capital that no sentence begins with, and how often each stands there. */
export function namesOf(lines: readonly Pick<Line, "text">[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const { text } of lines) {
    for (const { word, start } of wordsOf(text)) {
      if (word.length < LETTERS_MIN || !/^\p{Lu}\p{Ll}/u.test(word)) continue;
      const before = text.slice(0, start).trimEnd();
      if (before === "" || /[.!?…:–-]["”»']?$/u.test(before)) continue;
      names.set(word, (names.get(word) ?? 0) + 1);
    }
  }
  return names;
}

/** Accents get lost more easily than they come in, so of two spellings that are as frequent the one with more is meant. */
const accentsOf = (word: string): number => word.replace(/[a-z]/gi, "").length;

/** The rarer spelling of each pair of names that differ in an accent or in one letter. */
export function otherSpellings(lines: readonly Pick<Line, "text">[]): OtherSpelling[] {
  const names = [...namesOf(lines)]
    .sort(([a, often], [b, oftenB]) => oftenB - often || accentsOf(b) - accentsOf(a))
    .slice(0, NAMES_MAX);
  const found: OtherSpelling[] = [];
  const taken = new Set<string>();
  for (const [at, [instead]] of names.entries()) {
    if (taken.has(instead)) continue;
    for (const [word] of names.slice(at + 1)) {
      if (taken.has(word) || !isSameName(instead, word)) continue;
      taken.add(word);
      found.push({ word, instead });
    }
  }
  return found;
}

function isSameName(one: string, other: string): boolean {
  const [a, b] = [folded(one), folded(other)];
  if (a === b) return true;
  // An ending more or less is a form of the same name, not another spelling of it.
  if (a.length !== b.length || a.length < LETTERS_MIN + 1 || a[0] !== b[0]) return false;
  const differ = [...a].map((letter, at) => (letter === b[at] ? -1 : at)).filter((at) => at >= 0);
  return differ.length === 1 && (differ[0] ?? 0) < a.length - 1;
}
