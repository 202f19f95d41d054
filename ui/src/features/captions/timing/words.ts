/** Words that go from one line to the next. They keep their times, which the model takes along. */
import type { LineChange } from "../model/commands";
import { wordSpans } from "../model/text";
import type { Line } from "../types";

const joined = (left: string, right: string): string =>
  [left, right].filter((part) => part !== "").join(" ");

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
    { line: next.id, content: joined(tail, next.text), start: meet },
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
    { line: previous.id, content: joined(previous.text, head), end },
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

const PUNCTUATION = /[.!?…,;:—–]$/u;
/** Rows this much longer are worth a break after punctuation. */
const PUNCTUATION_WORTH = 12;

/** The text in as few rows as fit, of lengths as equal as possible; breaks after punctuation are preferred. */
export function balanced(text: string, maxRow: number): string {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  const whole = words.join(" ");
  if (whole.length <= maxRow || words.length < 2) return whole;
  let best: { at: number; cost: number } | undefined;
  let length = 0;
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at - 1] ?? "";
    length += word.length + (at > 1 ? 1 : 0);
    const rest = whole.length - length - 1;
    const over = Math.max(0, length - maxRow) + Math.max(0, rest - maxRow);
    const cost =
      over * 100 + Math.abs(length - rest) - (PUNCTUATION.test(word) ? PUNCTUATION_WORTH : 0);
    if (best === undefined || cost < best.cost) best = { at, cost };
  }
  const at = best?.at ?? 1;
  return `${words.slice(0, at).join(" ")}\n${words.slice(at).join(" ")}`;
}
