import type { Line, WordStyle } from "./types";

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

/** When the word at this place of the text is spoken, or the one before it; undefined before the first word. */
export function spokenAt(
  line: Pick<Line, "words">,
  all: readonly Stretch[],
  at: number,
): number | undefined {
  let start = 0;
  let found: number | undefined;
  for (const { text, word } of all) {
    if (start > at) break;
    if (word !== undefined) found = line.words[word]?.start_ms;
    start += text.length;
  }
  return found;
}

export interface Range {
  start: number;
  end: number;
}

/** Where the wanted stretches lie in the text. */
export function rangesOf(all: readonly Stretch[], wanted: (one: Stretch) => boolean): Range[] {
  let start = 0;
  return all.flatMap((one) => {
    const range = { start, end: start + one.text.length };
    start = range.end;
    return wanted(one) ? [range] : [];
  });
}

/** A part of a text and the layers that mark it. */
export interface Part {
  text: string;
  start: number;
  layers: ReadonlySet<string>;
}

/** The text cut wherever a mark of any layer starts or ends. */
export function overlaid(text: string, layers: Readonly<Record<string, readonly Range[]>>): Part[] {
  const all = Object.entries(layers).flatMap(([layer, ranges]) =>
    ranges.map((range) => ({ layer, ...range })),
  );
  const cuts = new Set([0, text.length]);
  for (const { start, end } of all) cuts.add(start).add(end);
  const edges = [...cuts].filter((at) => at >= 0 && at <= text.length).sort((a, b) => a - b);
  return edges.slice(0, -1).map((start, index) => {
    const end = edges[index + 1] ?? text.length;
    const over = all.filter((one) => one.start <= start && end <= one.end);
    return { text: text.slice(start, end), start, layers: new Set(over.map((one) => one.layer)) };
  });
}
