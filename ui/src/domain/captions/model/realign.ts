/** Word times under new text, by the rules of `pipelines/captions/edits/realign.py` and `word_times.py`. */
import type { Line, Word, WordStyle } from "../types";
import { codePoints, sameWord, withoutSpace, wordUnits } from "./text";

/** Pairs of words compared at most; above it only the common start and end of both texts keep their times. */
export const MOST_COMPARED = 100_000;
/** A word that stayed untouched outweighs any number of words that are merely alike. */
const UNTOUCHED = 4_000_000;

/** Words without measured times, one after the other from `start` to `end` in milliseconds; longer words last longer. */
export function spread(texts: string[], start: number, end: number): Word[] {
  const room = Math.max(0, end - start);
  const total = texts.reduce((sum, text) => sum + codePoints(text), 0);
  let before = 0;
  return texts.map((text) => {
    const after = before + codePoints(text);
    const word: Word = {
      start_ms: start + Math.floor((room * before) / total),
      end_ms: start + Math.floor((room * after) / total),
      text,
      origin: "human",
      confidence: null,
    };
    before = after;
    return word;
  });
}

interface Anchor {
  word: number;
  start: number;
  stop: number;
}

/** Words of the cleaned `text`: unchanged, corrected in place, or spread over the room between unchanged ones. */
export function realign(line: Line, text: string, pairsMax = MOST_COMPARED): Word[] {
  const units = wordUnits(text);
  const old = line.words;
  const aligned: Word[] = [];
  let oldPlace = 0;
  let newPlace = 0;
  let freeFrom = line.start_ms;
  const last = { word: old.length, start: units.length, stop: units.length };
  for (const anchor of [...anchors(old, units, pairsMax), last]) {
    const word = old[anchor.word];
    const freeTo = word?.start_ms ?? Math.max(line.end_ms, freeFrom);
    aligned.push(
      ...fill(
        units.slice(newPlace, anchor.start),
        old.slice(oldPlace, anchor.word),
        freeFrom,
        freeTo,
        stylesOfFresh(old, oldPlace, anchor.word),
      ),
    );
    if (word !== undefined) {
      const shown = units.slice(anchor.start, anchor.stop).join("");
      aligned.push(shown === withoutSpace(word.text) ? word : corrected(word, shown));
      freeFrom = word.end_ms;
    }
    oldPlace = anchor.word + 1;
    newPlace = anchor.stop;
  }
  return aligned;
}

/** A person wrote it: certain, while its time is still the measured one. */
const corrected = (word: Word, text: string): Word => ({
  ...word,
  text,
  origin: "human",
  confidence: word.confidence === null ? null : 1,
});

const NO_STYLES: WordStyle[] = [];

/** What all of the old words have that fresh ones replace, or else the words at both sides of them. */
function stylesOfFresh(old: Word[], start: number, stop: number): WordStyle[] {
  const beside =
    start < stop ? old.slice(start, stop) : old.slice(Math.max(0, start - 1), start + 1);
  const first = beside[0]?.styles ?? NO_STYLES;
  return first.filter((style) => beside.every((word) => word.styles?.includes(style) ?? false));
}

function fill(
  fresh: string[],
  dropped: Word[],
  from: number,
  to: number,
  styles: WordStyle[],
): Word[] {
  if (fresh.length === 0) return [];
  if (fresh.length === dropped.length) {
    return dropped.map((word, index) => corrected(word, fresh[index] ?? ""));
  }
  const first = dropped[0];
  if (first === undefined) return styled(spread(fresh, from, Math.max(from, to)), styles);
  const start = Math.max(from, first.start_ms);
  const end = Math.min(to, Math.max(...dropped.map((word) => word.end_ms)));
  return styled(spread(fresh, start, Math.max(start, end)), styles);
}

const styled = (words: Word[], styles: WordStyle[]): Word[] =>
  styles.length === 0 ? words : words.map((word) => ({ ...word, styles }));

/** Old words found again, in order. A word of several units is found only as a whole. */
function anchors(old: Word[], units: string[], pairsMax: number): Anchor[] {
  const texts: string[] = [];
  const firstOf = old.map((word) => {
    const first = texts.length;
    texts.push(...wordUnits(word.text));
    return first;
  });
  firstOf.push(texts.length);
  const found = common(texts, units, pairsMax);
  return old.flatMap((_, index) => {
    const from = firstOf[index] ?? 0;
    const until = firstOf[index + 1] ?? 0;
    const start = found.get(from);
    if (from === until || start === undefined) return [];
    for (let key = from; key < until; key += 1) {
      if (found.get(key) !== start + key - from) return [];
    }
    return [{ word: index, start, stop: start + until - from }];
  });
}

/** Places of the longest common run of words: as many untouched ones as possible, then as many alike ones. */
function common(old: string[], fresh: string[], pairsMax: number): Map<number, number> {
  const found = new Map<number, number>();
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) {
    found.set(head, head);
    head += 1;
  }
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) {
    tail += 1;
    found.set(old.length - tail, fresh.length - tail);
  }
  const rows = old.slice(head, old.length - tail);
  const columns = fresh.slice(head, fresh.length - tail);
  if (rows.length * columns.length > pairsMax) return found;
  const rowKeys = rows.map(sameWord);
  const columnKeys = columns.map(sameWord);
  const width = columns.length + 1;
  const best = new Float64Array((rows.length + 1) * width);
  const at = (i: number, j: number): number => best[i * width + j] ?? 0;
  const joined = (i: number, j: number): number =>
    rowKeys[i] === columnKeys[j] ? at(i + 1, j + 1) + (rows[i] === columns[j] ? UNTOUCHED : 1) : -1;
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    for (let j = columns.length - 1; j >= 0; j -= 1) {
      best[i * width + j] = Math.max(at(i + 1, j), at(i, j + 1), joined(i, j));
    }
  }
  let i = 0;
  let j = 0;
  while (i < rows.length && j < columns.length) {
    if (at(i, j) === joined(i, j)) {
      found.set(head + i, head + j);
      i += 1;
      j += 1;
    } else if (at(i, j) === at(i + 1, j)) i += 1;
    else j += 1;
  }
  return found;
}
