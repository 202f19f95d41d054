/** Caption text by the rules of `pipelines/captions/text.py`. Places are UTF-16 units, as text boxes count them. */

const SPACES =
  "\\t\\n\\v\\f\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SPACE = new RegExp(`[${SPACES}]`, "u");
const SPACE_RUN = new RegExp(`[${SPACES}]+`, "gu");
// A run of returns is tried once, from its beginning: quadratic time otherwise.
const LINE_ENDS = /(?<!\r)\r+\n|[\r\n\u2028\u2029\v\f\x85]/u;
// Controls, noncharacters and lone surrogates: a caption never shows them.
const UNSHOWN = /[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ufeff\ufffe\uffff\ud800-\udfff]/gu;
// Only these collapse: no-break and ideographic spaces are typed on purpose.
const DOUBLED = /[ \t]+/gu;

// Thai, Lao, Burmese, Khmer, kana and Han are written without spaces.
const UNSPACED =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3041-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
const ATTACHED =
  "\\u0e31\\u0e34-\\u0e3a\\u0e45-\\u0e4e\\u0eb1\\u0eb4-\\u0ebc\\u0ec8-\\u0ece\\u102b-\\u103e\\u17b4-\\u17d3\\u3001\\u3002\\u300d\\u300f\\u3011\\u30fc\\uff01\\uff09\\uff0c\\uff0e\\uff1a\\uff1b\\uff1f!?,.:;";
const UNIT = new RegExp(`[${UNSPACED}][${ATTACHED}]*|[^${SPACES}${UNSPACED}]+`, "gu");

/** The text as the server stores it: single newlines, no empty row, no doubled or outer space. */
export function cleanText(text: string): string {
  return text
    .split(LINE_ENDS)
    .map((row) => strip(row.replace(UNSHOWN, "").replace(DOUBLED, " ")))
    .filter((row) => row !== "")
    .join("\n");
}

export const isSpace = (character: string): boolean => SPACE.test(character);

export const isBlank = (text: string): boolean => text.replace(SPACE_RUN, "") === "";

export const withoutSpace = (text: string): string => text.replace(SPACE_RUN, "");

/** `text` without white space at either end. */
export const strip = (text: string): string => {
  let from = 0;
  let to = text.length;
  while (from < to && isSpace(text[from] ?? "")) from += 1;
  while (to > from && isSpace(text[to - 1] ?? "")) to -= 1;
  return text.slice(from, to);
};

/** The smallest pieces that carry a time: words, or single characters of scripts without spaces. */
export const wordUnits = (text: string): string[] => text.match(UNIT) ?? [];

/** A word without case and punctuation: equal for `hello` and `Hello,`. */
export function sameWord(text: string): string {
  const bare = text
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replace(/[^\p{L}\p{N}]/gu, "");
  return bare === "" ? text : bare;
}

/** Characters as the server counts them. */
export const codePoints = (text: string): number => [...text].length;

/** Where each word lies in the text: the places of its first character and of the one after its last. */
export function wordSpans(text: string, words: string[]): [number, number][] {
  let place = 0;
  return words.map((word) => {
    while (place < text.length && isSpace(text[place] ?? "")) place += 1;
    const start = place;
    let left = withoutSpace(word).length;
    while (place < text.length && left > 0) {
      if (!isSpace(text[place] ?? "")) left -= 1;
      place += 1;
    }
    return [start, place];
  });
}

/** The text at white space. */
export const words = (text: string): string[] =>
  text.split(SPACE_RUN).filter((word) => word !== "");
