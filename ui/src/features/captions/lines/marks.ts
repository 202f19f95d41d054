import type { Line } from "../types";

export const DOUBTFUL_BELOW = 0.6;

/** A stretch of a line's text: plain, or one word by its number in the line. */
export interface Stretch {
  text: string;
  word: number | undefined;
  doubtful: boolean;
}

/** The text cut at its words. Undefined when the words are not those of the text, as after an edit that is not saved. */
export function stretches(line: Pick<Line, "text" | "words">): Stretch[] | undefined {
  const found: Stretch[] = [];
  let place = 0;
  for (const [index, word] of line.words.entries()) {
    const at = line.text.indexOf(word.text, place);
    if (at < 0 || line.text.slice(place, at).trim() !== "") return undefined;
    if (at > place)
      found.push({ text: line.text.slice(place, at), word: undefined, doubtful: false });
    const { confidence, origin } = word;
    const doubtful = origin === "asr" && confidence !== null && confidence < DOUBTFUL_BELOW;
    found.push({ text: word.text, word: index, doubtful });
    place = at + word.text.length;
  }
  if (line.text.slice(place).trim() !== "") return undefined;
  return found;
}

/** The word that is being said at `ms`, by its number; -1 between words. */
export const wordAt = (line: Pick<Line, "words">, ms: number): number =>
  line.words.findIndex((word) => word.start_ms <= ms && ms < word.end_ms);
