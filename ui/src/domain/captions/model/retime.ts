/** What becomes of a line's words when its edges move. */
import type { Line } from "../types";
import { retimed } from "./line";
import { spread } from "./realign";

/** Words stay with the sound, unless none was measured: then they follow their line. */
export function follow(line: Line, start: number, end: number): Line {
  const next = retimed(line, start, end);
  if (line.words.some((word) => word.confidence !== null)) return next;
  const texts = line.words.map((word) => word.text);
  const words = spread(texts, start, end).map(({ start_ms, end_ms, ...word }, index) => ({
    ...(line.words[index] ?? word),
    start_ms,
    end_ms,
  }));
  return { ...next, words };
}
