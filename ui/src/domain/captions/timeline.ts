import type { Line } from "./types";

/** Index of the last line that has started at `ms`; -1 before the first. Lines are in order of time. */
export function startedAt(lines: readonly Line[], ms: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.start_ms ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** So many lines may start while one stays on screen. */
const REACH = 50;

/** Indexes of the lines on screen at `ms`, in order of time. */
export function onScreenAt(lines: readonly Line[], ms: number): number[] {
  const last = startedAt(lines, ms);
  const shown: number[] = [];
  for (let index = Math.max(0, last - REACH); index <= last; index += 1)
    if (ms < (lines[index]?.end_ms ?? 0)) shown.push(index);
  return shown;
}

/** The same as a text, which is equal as long as the lines are: for hooks that compare what they select. */
export const onScreenText = (lines: readonly Line[], ms: number): string =>
  onScreenAt(lines, ms).join();

/** The lines that such a text names. */
export const linesOfText = (lines: readonly Line[], text: string): Line[] =>
  text === "" ? [] : text.split(",").flatMap((index) => lines[Number(index)] ?? []);

const NEW_LINE_MS = 2_000;
const SHORTEST_MS = 300;
const GAP_MS = 100;

/** Free time in a lane for a new line after the line at `index`, or before it, at most as long as one usually is. */
export function roomBeside(
  lines: readonly Line[],
  index: number,
  side: "after" | "before",
): { start: number; end: number } | undefined {
  const before = side === "after" ? lines[index] : lines[index - 1];
  const after = side === "after" ? lines[index + 1] : lines[index];
  const from = before === undefined ? 0 : before.end_ms;
  const to = after === undefined ? Number.POSITIVE_INFINITY : after.start_ms;
  const gap = to - from > SHORTEST_MS + 2 * GAP_MS ? GAP_MS : 0;
  const room = { start: from + (before ? gap : 0), end: to - (after ? gap : 0) };
  if (room.end - room.start < SHORTEST_MS) return undefined;
  return side === "after" || before === undefined
    ? { start: room.start, end: Math.min(room.end, room.start + NEW_LINE_MS) }
    : { start: Math.max(room.start, room.end - NEW_LINE_MS), end: room.end };
}
