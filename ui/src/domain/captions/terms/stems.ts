/** What may be left of a word without its ending, by the rules of `pipelines/translation/terms/stems.py`. */
import { sameWord } from "../model/text";
import ENDINGS from "./endings.json";

const STEM_MIN = 3;
const BY_LANGUAGE = new Map(
  Object.entries(ENDINGS).map(([code, endings]) => [code, endings.split(" ")]),
);
/** Vowels that change inside words: gata, götu. */
const FOLDED = new Map([
  ["is", "ö"],
  ["fo", "ø"],
]);
const MARKS = /\p{Mn}|\p{Me}/gu;

const baseOf = (language: string): string => language.split(/[-_]/u)[0]?.toLowerCase() ?? "";

/** The word and its stems without case, accents and punctuation; stems have at least three letters. */
export function stems(word: string, language: string): Set<string> {
  const code = baseOf(language);
  const vowel = FOLDED.get(code);
  const bare = vowel === undefined ? sameWord(word) : sameWord(word).replaceAll(vowel, "a");
  const short = (BY_LANGUAGE.get(code) ?? []).flatMap((ending) =>
    bare.endsWith(ending) && bare.length - ending.length >= STEM_MIN
      ? [bare.slice(0, bare.length - ending.length)]
      : [],
  );
  return new Set([bare, ...short].map((each) => each.normalize("NFKD").replace(MARKS, "")));
}

/** Whether two words may be forms of one. */
export function isSameStem(word: string, other: string, language: string): boolean {
  const one = stems(word, language);
  return [...stems(other, language)].some((stem) => one.has(stem));
}
