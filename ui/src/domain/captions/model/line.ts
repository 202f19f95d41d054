/** A line and its two forms of time. */
import { stamp } from "../times";
import type { Line, LineSource } from "../types";

/** The line with other edges; its words stay as they are. */
export const retimed = (line: Line, start_ms: number, end_ms: number): Line => ({
  ...line,
  start_ms,
  end_ms,
  startTime: stamp(start_ms),
  endTime: stamp(end_ms),
  startSeconds: start_ms / 1000,
  endSeconds: end_ms / 1000,
});

const EMPTY: Line = {
  id: "",
  start_ms: 0,
  end_ms: 0,
  startTime: "",
  endTime: "",
  startSeconds: 0,
  endSeconds: 0,
  text: "",
  revision: 0,
  words: [],
  doubts: [],
  speaker: null,
  place: null,
  locked: false,
  forced: false,
  source: null,
};

export const newLine = (id: string, start_ms: number, end_ms: number): Line => ({
  ...retimed(EMPTY, start_ms, end_ms),
  id,
});

/** Sorts lines as the server does: by their start, those that start at once by their id. */
export const inTime = (a: Line, b: Line): number =>
  a.start_ms - b.start_ms || (a.id < b.id ? -1 : 1);

/** The lines after a change, in order of time. Lines it did not touch stay the same objects. */
export function withLines(lines: Line[], removed: string[], written: Line[]): Line[] {
  if (removed.length === 0 && written.length === 0) return lines;
  const [only] = written;
  if (only !== undefined && written.length === 1 && removed.every((id) => id === only.id)) {
    const at = lines.findIndex(({ id }) => id === only.id);
    // Every key press comes here. Sorting 5,000 lines would take 0.3 ms of it.
    if (lines[at]?.start_ms === only.start_ms) {
      const next = lines.slice();
      next[at] = only;
      return next;
    }
  }
  const gone = new Set([...removed, ...written.map((line) => line.id)]);
  const next = lines.filter((line) => !gone.has(line.id));
  next.push(...written);
  return next.sort(inTime);
}

/** What a line merged from two translates, until the server answers. */
export function mergedSource(
  left: LineSource | null | undefined,
  right: LineSource | null | undefined,
): LineSource | null {
  if (left == null || right == null) return left ?? right ?? null;
  const isOne = left.ids.join() === right.ids.join();
  const joined = (one: string, other: string) => (isOne ? one : `${one} ${other}`);
  return {
    ...left,
    ids: [...new Set([...left.ids, ...right.ids])],
    text: joined(left.text, right.text),
    now: joined(left.now, right.now),
    stale: left.stale || right.stale,
    flags: [...new Set([...left.flags, ...right.flags])],
  };
}
