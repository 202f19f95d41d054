/** Dashes that begin the rows of a dialogue, by the rules of `pipelines/captions/texts/dialogue.py`. */
import { dashOf, DASHES } from "../quality/marks";
import { strip } from "./text";

export type Dash = keyof typeof DASHES;

/** The hyphen of a word that was broken, as in "x-" and "-ray". */
const HYPHEN = /^[-\u2010\u2011]\p{Ll}/u;
const BEHIND = /(?<=\s)[-‐‑–—][ \u00a0]?$/u;

const rowsOf = (text: string): string[] => text.split("\n");

/** Two speakers' texts as rows that begin with a dash. Undefined where a text is empty or has dashes already. */
export function dialogue(left: string, right: string, dash: Dash): string | undefined {
  const both = [left, right];
  if (both.some((text) => text === "" || rowsOf(text).some((row) => dashOf(row) !== undefined)))
    return undefined;
  return both.map((text) => DASHES[dash] + rowsOf(text).join(" ")).join("\n");
}

/** The text and the place `at` where it is split, without the dashes that the split makes needless. */
export function withoutDashes(text: string, at: number): [string, number] {
  // A caret behind the dash means the place before it.
  const place = BEHIND.exec(text.slice(0, at))?.index ?? at;
  const [left, right] = [text.slice(0, place), text.slice(place)];
  const tail = right.slice(right.length - stripStart(right).length);
  const lead = right.slice(0, right.length - tail.length);
  const between = left.slice(stripEnd(left).length) + lead;
  if (speakerDash(tail) === undefined) return [text, at];
  if (!between.includes("\n") && speakerDash(left) === undefined) return [text, at];
  const head = alone(left);
  return [head + lead + alone(tail), head.length];
}

/** The part without the dash it begins with, if no other row has one. */
function alone(part: string): string {
  const [first = "", ...others] = rowsOf(part);
  const dash = speakerDash(first);
  const isDialogue = dash === undefined || others.some((row) => dashOf(row) !== undefined);
  return isDialogue ? part : part.slice(dash.length);
}

const speakerDash = (row: string): string | undefined =>
  HYPHEN.test(row) ? undefined : dashOf(row);

const stripStart = (text: string): string => strip(`${text}x`).slice(0, -1);
const stripEnd = (text: string): string => strip(`x${text}`).slice(1);
