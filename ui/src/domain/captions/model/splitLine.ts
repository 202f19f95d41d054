/** One line to two at the caret, by the rules of `pipelines/captions/edits/split_line.py`. */
import type { Line, Word } from "../types";
import { codePoints, strip, wordSpans } from "./text";
import { retimed } from "./line";
import { partOf } from "./spokenBy";

/** The gap of the default caption rules, in milliseconds. */
const GAP_MS = 100;

/** Both parts hold text, and the line lasts at least 2 ms. `at` is a place in the line's text. */
export function splitLine(line: Line, at: number, newId: string): [Line, Line] {
  const [head, tail] = wordsBeside(line, at);
  const from = line.start_ms + 1;
  let meet = tail[0]?.start_ms ?? -1;
  let spokenUntil = Math.max(...head.map((word) => word.end_ms));
  if (meet < from || meet >= line.end_ms) {
    // The line was moved off its sound, so only the text shows where the halves meet.
    const reach = (line.end_ms - line.start_ms) * codePoints(line.text.slice(0, at));
    meet = line.start_ms + Math.floor(reach / codePoints(line.text));
    meet = Math.min(Math.max(meet, from), line.end_ms - 1);
    spokenUntil = meet;
  }
  let end = Math.min(spokenUntil, meet);
  if (meet - end < GAP_MS && GAP_MS < Math.floor((meet - line.start_ms) / 2)) end = meet - GAP_MS;
  end = Math.max(end, line.start_ms + 1);
  return [
    {
      ...retimed(line, line.start_ms, end),
      text: strip(line.text.slice(0, at)),
      ...partOf(line, head),
    },
    {
      ...retimed(line, meet, line.end_ms),
      id: newId,
      text: strip(line.text.slice(at)),
      ...partOf(line, tail),
    },
  ];
}

function wordsBeside(line: Line, at: number): [Word[], Word[]] {
  const head: Word[] = [];
  const tail: Word[] = [];
  const spans = wordSpans(
    line.text,
    line.words.map((word) => word.text),
  );
  line.words.forEach((word, index) => {
    const [start, stop] = spans[index] ?? [0, 0];
    if (stop <= at) head.push(word);
    else if (start >= at) tail.push(word);
    else {
      const [first, second] = parted(word, line.text.slice(start, at), line.text.slice(at, stop));
      head.push(first);
      tail.push(second);
    }
  });
  return [head, tail];
}

function parted(word: Word, first: string, second: string): [Word, Word] {
  const before = codePoints(first);
  const all = before + codePoints(second);
  const meet = word.start_ms + Math.floor(((word.end_ms - word.start_ms) * before) / all);
  const written = { origin: "human", confidence: null } as const;
  return [
    { ...word, ...written, end_ms: meet, text: strip(first) },
    { ...word, ...written, start_ms: meet, text: strip(second) },
  ];
}
