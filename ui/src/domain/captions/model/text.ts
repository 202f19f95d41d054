/** Caption text by the rules of `pipelines/captions/texts/text.py`. Places are UTF-16 units, as text boxes count them. */

/** As the server counts them. */
export const characters = (text: string): number => [...text].length;

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
export const UNSPACED =
  "\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3041-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
// Marks and closing signs stay with the character before them.
const ATTACHED =
  "\\u0e2f\\u0e31\\u0e33-\\u0e3a\\u0e45-\\u0e4e\\u0eb1\\u0eb3-\\u0ebc\\u0ec6-\\u0ece\\u102b-\\u103e\\u17b4-\\u17d3\\u17d7\\u3001\\u3002\\u3005\\u3009\\u300b\\u300d\\u300f\\u3011\\u3015\\u3099-\\u309e\\u30fb-\\u30fe\\uff01\\uff09\\uff0c\\uff0e\\uff1a\\uff1b\\uff1f\\uff3d\\uff5d…‥”’\\u200c\\u200d\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}";
// Brackets, and the vowels of Thai and Lao that are written first, stay with the character after them.
const OPENING = "\\u3008\\u300a\\u300c\\u300e\\u3010\\u3014\\uff08\\uff3b\\uff5b“‘";
const VOWELS_FIRST = "\\u0e40-\\u0e44\\u0ec0-\\u0ec4";
// Khmer and Burmese consonants that stand below another one.
const STACKED = "\\u17d2[\\u1780-\\u17a2]|\\u1039[\\u1000-\\u102a]";
const UNIT = new RegExp(
  `[${OPENING}]{0,4}[${VOWELS_FIRST}]{0,2}[${UNSPACED}](?:${STACKED}|[${ATTACHED}!?,.:;])*` +
    `|(?:(?![${OPENING}]{1,4}[${UNSPACED}])[^${SPACES}${UNSPACED}])+`,
  "gu",
);
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}${OPENING}${ATTACHED}!?,.:;]`, "u");
const ENDS_UNSPACED = new RegExp(
  `[${UNSPACED}][${ATTACHED}]*$|[\\u3001\\u3002\\u3008-\\u3011\\u3014\\u3015\\uff01\\uff08\\uff09\\uff0c\\uff0e\\uff1a\\uff1b\\uff1f]$`,
  "u",
);

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const LINKS = new Set(["\u17d2", "\u1039"]);

/** The place nearest before `at`, or `at` itself, that lies inside no grapheme and above no stacked consonant. */
export function graphemeStart(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return at;
  const segments = graphemes.segment(text);
  let place = segments.containing(at)?.index ?? at;
  while (place > 0 && LINKS.has(text[place - 1] ?? ""))
    place = segments.containing(place - 1)?.index ?? 0;
  return place;
}

const LINKED_TO_NEXT = /[\u200d\u17d2\u1039]$/u;
const LINKED_TO_LAST = /^[\u200d\u17d2\u1039\p{M}\u{1f3fb}-\u{1f3ff}]/u;

/** Whether two texts are parts of one grapheme, such as a letter and its mark or the halves of a joined picture. */
export const isTorn = (left: string, right: string): boolean =>
  LINKED_TO_NEXT.test(left) || LINKED_TO_LAST.test(right);

/** Two texts as one row, with a space between words but not between characters of a script without spaces. */
export const inOneRow = (left: string, right: string): string =>
  left === "" ||
  right === "" ||
  (ENDS_UNSPACED.test(left) && STARTS_UNSPACED.test(right)) ||
  isTorn(left, right)
    ? left + right
    : `${left} ${right}`;

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
