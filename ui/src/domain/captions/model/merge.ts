/** Two people's changes of one text, word by word. Changes of different words are joined; of the same words they clash. */
import { wordUnits } from "./text";

/** Tokens `from` up to `to` of the old text become `tokens`. */
interface Hunk {
  from: number;
  to: number;
  tokens: string[];
}

/** Beyond this many pairs of words, only the common beginning and end are matched. A line has at most 1,000 letters. */
const MOST_COMPARED = 250_000;

/** Words and the space between them; their sum is the text. */
export const tokensOf = (text: string): string[] =>
  text
    .split(/(\s+)/u)
    .flatMap((part) => (/^\s*$/u.test(part) ? (part ? [part] : []) : units(part)));

/** A piece that the units do not cover stays whole, so that no letter is ever lost. */
function units(part: string): string[] {
  const found = wordUnits(part);
  return found.join("") === part ? found : [part];
}

/** The text with both changes; undefined if they clash. */
export function mergeTexts(base: string, mine: string, theirs: string): string | undefined {
  if (mine === theirs || base === theirs) return mine;
  if (base === mine) return theirs;
  const old = tokensOf(base);
  const left = hunks(old, tokensOf(mine));
  const right = hunks(old, tokensOf(theirs));
  const merged: string[] = [];
  let at = 0;
  while (left.length > 0 || right.length > 0) {
    const [a, b] = [left[0], right[0]];
    let hunk: Hunk | undefined;
    if (a !== undefined && b !== undefined) {
      if (same(a, b)) {
        hunk = left.shift();
        right.shift();
      } else if (clash(a, b)) return undefined;
      else hunk = comesFirst(a, b) ? left.shift() : right.shift();
    } else hunk = left.shift() ?? right.shift();
    if (hunk === undefined) break;
    merged.push(...old.slice(at, hunk.from), ...hunk.tokens);
    at = hunk.to;
  }
  return [...merged, ...old.slice(at)].join("");
}

const same = (a: Hunk, b: Hunk): boolean =>
  a.from === b.from && a.to === b.to && a.tokens.join("") === b.tokens.join("");

/** Changes beside each other do not clash: somebody appends a word while somebody else corrects the last one. */
const clash = (a: Hunk, b: Hunk): boolean =>
  (a.from < b.to && b.from < a.to) || (a.from === b.from && a.to === b.to);

const comesFirst = (a: Hunk, b: Hunk): boolean =>
  a.from !== b.from ? a.from < b.from : a.to === a.from;

/** What was changed, by a longest common run of tokens. */
function hunks(old: string[], fresh: string[]): Hunk[] {
  let head = 0;
  const shorter = Math.min(old.length, fresh.length);
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const rows = old.slice(head, old.length - tail);
  const columns = fresh.slice(head, fresh.length - tail);
  if (rows.length === 0 && columns.length === 0) return [];
  if (rows.length * columns.length > MOST_COMPARED) {
    return [{ from: head, to: head + rows.length, tokens: columns }];
  }
  const width = columns.length + 1;
  const best = new Uint32Array((rows.length + 1) * width);
  const at = (i: number, j: number): number => best[i * width + j] ?? 0;
  // A common word is worth more than any number of common spaces.
  const worth = (token: string): number => (/^\s/u.test(token) ? 1 : 1_000);
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    for (let j = columns.length - 1; j >= 0; j -= 1) {
      const token = rows[i] ?? "";
      const joined = token === columns[j] ? at(i + 1, j + 1) + worth(token) : 0;
      best[i * width + j] = Math.max(at(i + 1, j), at(i, j + 1), joined);
    }
  }
  const found: Hunk[] = [];
  let open: Hunk | undefined;
  let [i, j] = [0, 0];
  while (i < rows.length || j < columns.length) {
    const token = rows[i];
    const isCommon =
      token !== undefined && token === columns[j] && at(i, j) === at(i + 1, j + 1) + worth(token);
    if (isCommon) {
      open = undefined;
      i += 1;
      j += 1;
      continue;
    }
    if (open === undefined) {
      open = { from: head + i, to: head + i, tokens: [] };
      found.push(open);
    }
    if (j >= columns.length || (i < rows.length && at(i + 1, j) >= at(i, j + 1))) {
      i += 1;
      open.to += 1;
    } else {
      open.tokens.push(columns[j] ?? "");
      j += 1;
    }
  }
  return found;
}

/** Where a caret of the old text belongs in the new one: behind the same letters, or before the same ones. */
export function caretAfter(old: string, fresh: string, caret: number): number {
  let head = 0;
  const shorter = Math.min(old.length, fresh.length);
  while (head < shorter && old[head] === fresh[head]) head += 1;
  if (caret <= head) return caret;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  if (old.length - caret <= tail) return fresh.length - (old.length - caret);
  return Math.min(caret, fresh.length - tail);
}
