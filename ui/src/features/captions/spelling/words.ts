import type { Range } from "../../../domain/captions/marks";

export interface WordAt extends Range {
  word: string;
}

const WORD = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu;
/** A longer run of letters is no word, and suggestions for it would take seconds. */
const WORD_MAX = 60;
const BESIDE = /[\p{N}_@#/\\.]/u;

/** The words of a text that spelling can judge: no single letters, and no parts of addresses, numbers or names of files. */
export function wordsOf(text: string): WordAt[] {
  return [...text.matchAll(WORD)].flatMap((found) => {
    const word = found[0];
    const start = found.index;
    const end = start + word.length;
    const before = text[start - 1] ?? " ";
    const after = text.slice(end, end + 2);
    const isPart =
      BESIDE.test(before) || /^[\p{N}_@/\\]/u.test(after) || /^\.[\p{L}\p{N}]/u.test(after);
    return word.length < 2 || word.length > WORD_MAX || isPart ? [] : [{ word, start, end }];
  });
}

/** The word around a position, or that ends there. */
export const wordAtCaret = (words: readonly WordAt[], at: number): WordAt | undefined =>
  words.find(({ start, end }) => start <= at && at <= end);
