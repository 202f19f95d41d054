import type { Line } from "../../../domain/captions/types";
import type { Spelling } from "./Spelling";
import { wordsOf } from "./words";

export interface UnknownWord {
  word: string;
  lines: { line: string; start: number; end: number }[];
}

/** The unknown words of the lines and where they stand, the most frequent first. */
export function unknownWords(
  lines: readonly Pick<Line, "id" | "text">[],
  spelling: Pick<Spelling, "isWrong">,
): UnknownWord[] {
  const found = new Map<string, UnknownWord>();
  for (const { id, text } of lines) {
    for (const { word, start, end } of wordsOf(text)) {
      if (!spelling.isWrong(word)) continue;
      const known = found.get(word) ?? { word, lines: [] };
      known.lines.push({ line: id, start, end });
      found.set(word, known);
    }
  }
  return [...found.values()].sort(
    (a, b) => b.lines.length - a.lines.length || a.word.localeCompare(b.word),
  );
}
