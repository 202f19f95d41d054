/** Small moves of lines and edges: what a drag on the waveform does, by a given time. All times are in milliseconds. */
import { besideInLane } from "../../../domain/captions/lanes";
import type { LineChange } from "../../../domain/captions/model/commands";
import type { Line } from "../../../domain/captions/types";
import { dragChanges, type DragRules } from "./drag";
import type { Ids } from "./times";

/** What moves: an edge, both edges of one line (apart with a positive time), the edge between two lines, whole lines. */
export type Nudged = "start" | "end" | "both" | "edge" | "body";

export const TENTH_MS = 100;

/** How far an edge moves. `side` is -1 for the start of a line that grows to both sides, else 1. */
export type Distance = (edge: number, side: 1 | -1) => number;

interface Options extends Pick<DragRules, "cascade" | "frames"> {
  /** The lines that move together. */
  ids: Ids;
}

/** The changes that move `what` of a line, as far as there is room. */
export function nudged(
  lines: readonly Line[],
  { id, start_ms, end_ms }: Line,
  what: Nudged,
  by: Distance,
  { ids, ...options }: Options,
): LineChange[] {
  const rules: DragRules = { targets: [], tolerance: 0, roll: what === "edge", ...options };
  const own = new Set([id]);
  const toEnd = by(end_ms, 1);
  if (what === "both") {
    const starts = dragChanges(lines, id, "start", by(start_ms, -1), own, rules);
    const moved = withTimes(lines, starts);
    return joined(starts, dragChanges(moved, id, "end", toEnd, own, rules));
  }
  if (what === "edge") {
    const at = lines.findIndex((line) => line.id === id);
    return besideInLane(lines, at, 1) === undefined
      ? []
      : dragChanges(lines, id, "end", toEnd, own, rules);
  }
  if (what === "end") return dragChanges(lines, id, what, toEnd, own, rules);
  return dragChanges(lines, id, what, by(start_ms, 1), what === "body" ? ids : own, rules);
}

function withTimes(lines: readonly Line[], changes: readonly LineChange[]): Line[] {
  const times = new Map(changes.map((change) => [change.line, change]));
  return lines.map((line) => {
    const { start, end } = times.get(line.id) ?? {};
    return { ...line, start_ms: start ?? line.start_ms, end_ms: end ?? line.end_ms };
  });
}

/** Two lists of changes as one, which names each line once; the later times win. */
function joined(first: readonly LineChange[], second: readonly LineChange[]): LineChange[] {
  const all = new Map<string, LineChange>();
  for (const change of [...first, ...second])
    all.set(change.line, { ...all.get(change.line), ...change });
  return [...all.values()];
}
