import type { Line, WordStyle } from "../types";

export const DOUBTFUL_BELOW = 0.6;

/** A part of a line's text: plain, or one word by its number in the line. */
export interface Stretch {
  text: string;
  word: number | undefined;
  doubtful: boolean;
  /** How the word is set. */
  look: readonly WordStyle[];
}

const UPRIGHT: readonly WordStyle[] = [];

/** The text split at its words; undefined if the words are not those of the text, as after an unsaved edit. */
export function stretches(line: Pick<Line, "text" | "words">): Stretch[] | undefined {
  const found: Stretch[] = [];
  let from = 0;
  for (const [index, word] of line.words.entries()) {
    const at = line.text.indexOf(word.text, from);
    if (at < 0 || line.text.slice(from, at).trim() !== "") return undefined;
    const { confidence, origin } = word;
    const look = word.styles ?? UPRIGHT;
    if (at > from) {
      const before = found.at(-1)?.look ?? UPRIGHT;
      const between = look.filter((style) => before.includes(style));
      const text = line.text.slice(from, at);
      found.push({ text, word: undefined, doubtful: false, look: between });
    }
    const doubtful = origin === "asr" && confidence !== null && confidence < DOUBTFUL_BELOW;
    found.push({ text: word.text, word: index, doubtful, look });
    from = at + word.text.length;
  }
  if (line.text.slice(from).trim() !== "") return undefined;
  return found;
}

/** Number of the word spoken at `ms`; -1 between words. */
export const wordAt = (line: Pick<Line, "words">, ms: number): number =>
  line.words.findIndex((word) => word.start_ms <= ms && ms < word.end_ms);
