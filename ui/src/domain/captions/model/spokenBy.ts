/** Who speaks a line and its words, by the rules of `pipelines/captions/spoken_by.py`. */
import type { Line, Word } from "../types";

type Speaker = string | null;

/** Words of a line of `ofLine`, for a line of `speaker`: each keeps who spoke it. */
export const spokenBy = (words: Word[], ofLine: Speaker, speaker: Speaker): Word[] =>
  words.map((word) => {
    const { speaker: own, ...rest } = word;
    const who = own ?? ofLine;
    if (who === speaker || who === null) return own == null ? word : rest;
    return { ...rest, speaker: who };
  });

/** The speaker and words of a line that keeps only `words`. */
export function partOf(line: Line, words: Word[]): Pick<Line, "speaker" | "words"> {
  const speakers = new Set(words.map((word) => word.speaker ?? line.speaker));
  const [only] = speakers;
  const speaker = speakers.size === 1 && only !== undefined ? only : line.speaker;
  return { speaker, words: spokenBy(words, line.speaker, speaker) };
}

/** The speaker and words of two lines as one. */
export function wordsOfBoth(left: Line, right: Line): Pick<Line, "speaker" | "words"> {
  const speaker = left.speaker ?? right.speaker;
  const words = [left, right].flatMap((line) => spokenBy(line.words, line.speaker, speaker));
  return { speaker, words };
}
