/** Small moves of lines and edges: what a drag on the waveform does, by a given time. All times are in milliseconds. */
import type { LineChange } from "../model/commands";
import type { Line } from "../types";
import { dragChanges, type DragRules } from "./drag";
import type { Ids } from "./times";

/** What moves: an edge, both edges of one line (apart with a positive time), the edge between two lines, whole lines. */
export type Nudged = "start" | "end" | "both" | "edge" | "body";

export const TENTH_MS = 100;

/** The changes that move `what` of a line by a time, as far as there is room. `ids` are the lines that move together. */
export function nudged(
  lines: readonly Line[],
  line: string,
  what: Nudged,
  by: number,
  { ids, cascade }: { ids: Ids; cascade: boolean },
): LineChange[] {
  const rules: DragRules = { targets: [], tolerance: 0, cascade, roll: what === "edge" };
  const own = new Set([line]);
  if (what === "both") {
    const starts = dragChanges(lines, line, "start", -by, own, rules);
    const moved = withTimes(lines, starts);
    return joined(starts, dragChanges(moved, line, "end", by, own, rules));
  }
  if (what === "edge") {
    const isLast = lines.at(-1)?.id === line;
    return isLast ? [] : dragChanges(lines, line, "end", by, own, rules);
  }
  return dragChanges(lines, line, what, by, what === "body" ? ids : own, rules);
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
