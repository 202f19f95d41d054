/** New times for many lines, as changes for one step of the history. All times are in milliseconds. */
import { besideInLane, byLane } from "../../../domain/captions/lanes";
import type { LineChange } from "../../../domain/captions/model/commands";
import type { Line } from "../../../domain/captions/types";

/** Time that an extended line leaves free before the next one, and keeps for itself, as the server's Extend does. */
export const EXTEND_GAP_MS = 100;
const HIGHEST_FACTOR = 10;

export type Ids = ReadonlySet<string>;

/** The lines moved by an offset, except locked ones. Their words move with them. */
export const shifted = (lines: readonly Line[], ids: Ids, by: number): LineChange[] =>
  by === 0
    ? []
    : lines
        .filter(({ id, locked }) => ids.has(id) && !locked)
        .map(({ id, start_ms, end_ms }) => ({ line: id, start: start_ms + by, end: end_ms + by }));

/** Ends moved by an offset as far as there is room: 0.1 s stays free before the next line, and each line keeps 0.1 s. */
export function extended(lines: readonly Line[], ids: Ids, by: number): LineChange[] {
  return lines.flatMap((line, index) => {
    if (!ids.has(line.id) || line.locked) return [];
    const next = besideInLane(lines, index, 1);
    const room = (next?.start_ms ?? Number.POSITIVE_INFINITY) - EXTEND_GAP_MS;
    const end =
      by > 0
        ? Math.max(line.end_ms, Math.min(line.end_ms + by, room))
        : Math.min(line.end_ms, Math.max(line.end_ms + by, line.start_ms + EXTEND_GAP_MS));
    return end === line.end_ms ? [] : [{ line: line.id, end }];
  });
}

/** Starts pulled to earlier times, or pushed to later ones, as far as there is room. */
export function pulled(lines: readonly Line[], ids: Ids, by: number): LineChange[] {
  return lines.flatMap((line, index) => {
    if (!ids.has(line.id) || line.locked) return [];
    const before = besideInLane(lines, index, -1);
    const room = before === undefined ? 0 : before.end_ms + EXTEND_GAP_MS;
    const start =
      by < 0
        ? Math.min(line.start_ms, Math.max(line.start_ms + by, room))
        : Math.max(line.start_ms, Math.min(line.start_ms + by, line.end_ms - EXTEND_GAP_MS));
    return start === line.start_ms ? [] : [{ line: line.id, start }];
  });
}

/** Each line lasts until the next one, less a gap, if that is longer and at most `most`. */
export function untilNext(
  lines: readonly Line[],
  ids: Ids,
  { gap, most = Number.POSITIVE_INFINITY }: { gap: number; most?: number },
): LineChange[] {
  return lines.flatMap((line, index) => {
    const next = besideInLane(lines, index, 1);
    if (!ids.has(line.id) || line.locked || next === undefined) return [];
    const end = Math.min(next.start_ms - gap, line.start_ms + most);
    return end > line.end_ms ? [{ line: line.id, end }] : [];
  });
}

/** Where a line starts now, and where it should start. */
export interface SyncPoint {
  from: number;
  to: number;
}

/** A time on the straight line through the two points beside it; beyond the outer ones, on the nearest such line. */
export function synced(at: number, points: readonly SyncPoint[]): number {
  const sorted = [...points].sort((a, b) => a.from - b.from);
  const [first, second] = sorted;
  if (first === undefined) return at;
  if (second === undefined) return at + first.to - first.from;
  let left = first;
  let right = second;
  for (let index = 1; index + 1 < sorted.length && at > right.from; index += 1) {
    left = right;
    right = sorted[index + 1] ?? right;
  }
  return Math.round(left.to + ((at - left.from) * (right.to - left.to)) / (right.from - left.from));
}

export type SyncProblem = "points" | "order" | "factor" | "start";

/** The changes that bring lines in step with the picture through two or more points, or why that cannot be. */
export function pointSync(
  lines: readonly Line[],
  points: readonly SyncPoint[],
): LineChange[] | SyncProblem {
  const sorted = [...points].sort((a, b) => a.from - b.from);
  if (sorted.length < 2) return "points";
  for (let index = 1; index < sorted.length; index += 1) {
    const [a, b] = [sorted[index - 1], sorted[index]];
    if (a === undefined || b === undefined) continue;
    if (b.from <= a.from || b.to <= a.to) return "order";
    const factor = (b.to - a.to) / (b.from - a.from);
    if (factor > HIGHEST_FACTOR || factor < 1 / HIGHEST_FACTOR) return "factor";
  }
  if (lines.length > 0 && synced(lines[0]?.start_ms ?? 0, sorted) < 0) return "start";
  return byLane(lines).flatMap((lane) => {
    let earliest = 0;
    return lane.flatMap((line) => {
      if (line.locked) return [];
      // Rounding must not make two lines overlap by a millisecond.
      const start = Math.max(earliest, synced(line.start_ms, sorted));
      const end = Math.max(start + 1, synced(line.end_ms, sorted));
      earliest = end;
      return [{ line: line.id, start, end }];
    });
  });
}
