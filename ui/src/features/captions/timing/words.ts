/** Words that go from one line to the next. They keep their times, which the model takes along. */
import type { LineChange } from "../../../domain/captions/model/commands";
import { inOneRow, UNSPACED, wordSpans } from "../../../domain/captions/model/text";
import { forbiddenBreak } from "../../../domain/captions/quality/marks";
import { visibleLength } from "../../../domain/captions/times";
import type { Line } from "../../../domain/captions/types";

/** The changes that give the words from index `at` of a line to the next line. Undefined if a line would be empty. */
export function tailToNext(line: Line, next: Line, at: number): LineChange[] | undefined {
  const spans = wordSpans(
    line.text,
    line.words.map(({ text }) => text),
  );
  const first = spans[at];
  const word = line.words[at];
  const last = line.words[at - 1];
  if (first === undefined || word === undefined || last === undefined) return undefined;
  const head = line.text.slice(0, first[0]).trimEnd();
  const tail = line.text.slice(first[0]);
  const meet = Math.max(line.start_ms + 1, Math.min(word.start_ms, next.start_ms, line.end_ms));
  return [
    {
      line: line.id,
      content: head,
      end: Math.max(line.start_ms + 1, Math.min(line.end_ms, last.end_ms, meet)),
    },
    { line: next.id, content: inOneRow(tail, next.text), start: meet },
  ];
}

/** The changes that give the words before index `at` of a line to the line before it. */
export function headToPrevious(previous: Line, line: Line, at: number): LineChange[] | undefined {
  const spans = wordSpans(
    line.text,
    line.words.map(({ text }) => text),
  );
  const first = spans[at];
  const word = line.words[at];
  const last = line.words[at - 1];
  if (first === undefined || word === undefined || last === undefined) return undefined;
  const head = line.text.slice(0, first[0]).trimEnd();
  const tail = line.text.slice(first[0]);
  const meet = Math.min(line.end_ms - 1, Math.max(word.start_ms, previous.end_ms, line.start_ms));
  const end = Math.min(meet, Math.max(previous.end_ms, last.end_ms));
  return [
    { line: previous.id, content: inOneRow(previous.text, head), end },
    { line: line.id, content: tail, start: meet },
  ];
}

/** The index of the first word that begins at or after the caret, a place in the text. */
export function wordAt(line: Line, caret: number): number {
  const spans = wordSpans(
    line.text,
    line.words.map(({ text }) => text),
  );
  const index = spans.findIndex(([start]) => start >= caret);
  return index < 0 ? spans.length : index;
}

const PUNCTUATION = /[.!?…,;:–—。！？、，；：]$/u;
/** Rows this much longer are worth a break after punctuation. */
const PUNCTUATION_WORTH = 12;
// No row breaks at a no-break space, nor before a mark that French and others set after a space.
const SPACE = /[ \t\n\u3000]+(?![!?:;%»›)\]}])/gu;
const UNSPACED_SIGN = new RegExp(`[${UNSPACED}]`, "u");
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** The text in as few rows as fit, of lengths as equal as possible; breaks after punctuation are preferred. */
export function balanced(text: string, maxRow: number): string {
  const whole = text.split("\n").reduce(inOneRow, "");
  const length = visibleLength(whole);
  if (length <= maxRow) return whole;
  let best: { upper: string; lower: string; cost: number } | undefined;
  for (const at of places(whole)) {
    const upper = whole.slice(0, at).trimEnd();
    const lower = whole.slice(at).trimStart();
    if (upper === "" || lower === "" || forbiddenBreak(upper, lower) !== undefined) continue;
    const [head, tail] = [visibleLength(upper), visibleLength(lower)];
    const over = Math.max(0, head - maxRow) + Math.max(0, tail - maxRow);
    const cost =
      over * 100 + Math.abs(head - tail) - (PUNCTUATION.test(upper) ? PUNCTUATION_WORTH : 0);
    if (best === undefined || cost < best.cost) best = { upper, lower, cost };
  }
  return best === undefined ? whole : `${best.upper}\n${best.lower}`;
}

/** Where a row may begin: after spaces, and at the words of scripts without spaces. */
function* places(text: string): Generator<number> {
  for (const { index, 0: space } of text.matchAll(SPACE)) yield index + space.length;
  if (!UNSPACED_SIGN.test(text)) return;
  for (const { index } of segmenter.segment(text))
    if (UNSPACED_SIGN.test(text.slice(Math.max(0, index - 2), index + 1))) yield index;
}
