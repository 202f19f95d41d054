/** What a drag on the waveform does to the lines: it snaps, pushes neighbours or stops at them. Times in milliseconds. */
import { byLane, inLane, laneOf } from "../../../domain/captions/lanes";
import type { LineChange } from "../../../domain/captions/model/commands";
import type { Frames } from "../../editor/playback/Frames";
import type { Line } from "../../../domain/captions/types";
import type { Ids } from "./times";

export type Grip = "start" | "end" | "body";

export interface DragRules {
  /** Times that an edge snaps to; none while the person holds Shift. */
  targets: readonly number[];
  /** How near an edge must be. */
  tolerance: number;
  /** A moved line pushes its neighbours, which keep their durations. Locked ones are walls. */
  cascade: boolean;
  /** The neighbour's edge moves too. */
  roll: boolean;
  /** Where the gripped edge comes to rest when it snaps to nothing; undefined for sound. */
  frames?: Frames | undefined;
}

export const SHORTEST_MS = 200;
/** An edge snaps within this time, or within `SNAP_PX` where that is more. */
export const SNAP_MS = 80;
export const SNAP_PX = 8;

/** The nearest target within the tolerance, as an offset from the time; 0 if there is none. */
export function snapBy(at: number, targets: readonly number[], tolerance: number): number {
  let best = 0;
  let least = tolerance + 1;
  for (const target of targets) {
    const away = Math.abs(target - at);
    if (away < least && away <= tolerance) {
      least = away;
      best = target - at;
    }
  }
  return best;
}

/** The changes of a drag by `by`. `ids` are the lines that move together; the gripped one is among them. */
export function dragChanges(
  all: readonly Line[],
  gripped: string,
  grip: Grip,
  by: number,
  ids: Ids,
  rules: DragRules,
): LineChange[] {
  const line = all.find(({ id }) => id === gripped);
  if (line === undefined || line.locked) return [];
  const lines = inLane(all, laneOf(line.place));
  const index = lines.indexOf(line);
  const edges = grip === "body" ? [line.start_ms, line.end_ms] : [edgeOf(line, grip)];
  const snaps = edges
    .map((edge) => snapBy(edge + by, rules.targets, rules.tolerance))
    .filter((snap) => snap !== 0)
    .sort((a, b) => Math.abs(a) - Math.abs(b));
  const first = edges[0] ?? 0;
  const wanted =
    snaps[0] === undefined && by !== 0 && rules.frames !== undefined
      ? rules.frames.nearest(first + by) - first
      : Math.round(by + (snaps[0] ?? 0));
  if (grip === "body") {
    const free = new Set(all.filter((one) => ids.has(one.id) && !one.locked).map(({ id }) => id));
    const isAlone = free.size === 1 && wanted !== 0;
    const far = isAlone ? away(lines, index, wanted < 0 ? 1 : -1, wanted) : wanted;
    return movedTogether(byLane(all), free, far, rules);
  }
  if (rules.roll) {
    const rolled = rolledEdge(lines, index, grip, wanted);
    if (rolled !== undefined) return rolled;
  }
  const side = grip === "end" ? 1 : -1;
  const far = wanted * side < 0 ? away(lines, index, side, wanted) : wanted;
  return movedEdge(lines, index, grip, far, rules.cascade);
}

const edgeOf = (line: Line, grip: "start" | "end"): number =>
  grip === "start" ? line.start_ms : line.end_ms;

const within = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(most, value));

const gapBeside = (here: Line, next: Line, side: 1 | -1): number =>
  side === 1 ? next.start_ms - here.end_ms : here.start_ms - next.end_ms;

/** A move away from the neighbour on one side, at least as far as the line overlaps it: lines may not overlap after it. */
function away(lines: readonly Line[], index: number, side: 1 | -1, by: number): number {
  const [line, other] = [lines[index], lines[index + side]];
  if (line === undefined || other === undefined) return by;
  return -side * Math.max(Math.abs(by), -gapBeside(line, other, side));
}

/** Free time beside a line on one side: up to its neighbour, or all gaps up to a wall when neighbours are pushed. */
function slack(
  lines: readonly Line[],
  index: number,
  side: 1 | -1,
  walls: Ids,
  push: boolean,
): number {
  let room = 0;
  for (let at = index; ; at += side) {
    const here = lines[at];
    const next = lines[at + side];
    if (here === undefined) return room;
    if (next === undefined) {
      return side === 1 ? Number.POSITIVE_INFINITY : room + here.start_ms;
    }
    room += Math.max(0, gapBeside(here, next, side));
    if (!push || next.locked || walls.has(next.id)) return room;
  }
}

/** Frames are no whole milliseconds long: a time that a move put one beside a frame's start. */
function onFrame(ms: number, frames: Frames | undefined): number {
  const nearest = frames?.nearest(ms) ?? ms;
  return Math.abs(nearest - ms) <= 1 ? nearest : ms;
}

function movedTogether(
  lanes: readonly (readonly Line[])[],
  ids: Ids,
  by: number,
  { cascade, frames }: DragRules,
): LineChange[] {
  const side = by < 0 ? -1 : 1;
  let room = Math.abs(by);
  for (const lines of lanes) {
    lines.forEach(({ id }, index) => {
      const next = lines[index + side];
      if (!ids.has(id) || (next !== undefined && ids.has(next.id))) return;
      room = Math.min(room, slack(lines, index, side, ids, cascade));
    });
  }
  const free = side * room;
  if (free === 0) return [];
  // Frames are met only where nothing stops the move.
  const grid = room === Math.abs(by) ? frames : undefined;
  return lanes
    .filter((lines) => lines.some(({ id }) => ids.has(id)))
    .flatMap((lines) => pushed(lines, movedInLane(lines, ids, free, grid), side));
}

/** The lines of a lane that move, each by the same time. */
function movedInLane(
  lines: readonly Line[],
  ids: Ids,
  free: number,
  frames: Frames | undefined,
): Map<string, LineChange> {
  const moved = new Map<string, LineChange>();
  lines.forEach(({ id, start_ms, end_ms }, index) => {
    if (!ids.has(id)) return;
    const [start, end] = [start_ms + free, end_ms + free];
    const [before, after] = [lines[index - 1], lines[index + 1]];
    const [first, last] = [onFrame(start, frames), onFrame(end, frames)];
    const isCramped =
      (before !== undefined && !ids.has(before.id) && first < before.end_ms) ||
      (after !== undefined && !ids.has(after.id) && last > after.start_ms);
    moved.set(id, { line: id, ...(isCramped ? { start, end } : { start: first, end: last }) });
  });
  return moved;
}

/** The changes with the neighbours that they run into, moved just far enough. */
function pushed(
  lines: readonly Line[],
  moved: ReadonlyMap<string, LineChange>,
  side: 1 | -1,
): LineChange[] {
  const ordered = side === 1 ? lines : [...lines].reverse();
  const changes: LineChange[] = [];
  let edge: number | undefined;
  for (const line of ordered) {
    const own = moved.get(line.id);
    let start = own?.start ?? line.start_ms;
    let end = own?.end ?? line.end_ms;
    if (own === undefined && edge !== undefined) {
      const over = side === 1 ? edge - start : end - edge;
      if (over > 0) {
        start += side * over;
        end += side * over;
      }
    }
    if (start !== line.start_ms || end !== line.end_ms) changes.push({ line: line.id, start, end });
    edge = side === 1 ? end : start;
  }
  return changes;
}

function movedEdge(
  lines: readonly Line[],
  index: number,
  grip: "start" | "end",
  by: number,
  cascade: boolean,
): LineChange[] {
  const line = lines[index];
  if (line === undefined) return [];
  const shortest = Math.min(SHORTEST_MS, line.end_ms - line.start_ms);
  const side = grip === "start" ? -1 : 1;
  const room = slack(lines, index, side, new Set(), cascade);
  const inward = line.end_ms - line.start_ms - shortest;
  const free = grip === "start" ? within(by, -room, inward) : within(by, -inward, room);
  if (free === 0) return [];
  const change: LineChange = {
    line: line.id,
    start: line.start_ms + (grip === "start" ? free : 0),
    end: line.end_ms + (grip === "end" ? free : 0),
  };
  return pushed(lines, new Map([[line.id, change]]), side);
}

/** The edge and the neighbour's edge that faces it, moved together; undefined without a neighbour. */
function rolledEdge(
  lines: readonly Line[],
  index: number,
  grip: "start" | "end",
  by: number,
): LineChange[] | undefined {
  const left = grip === "end" ? lines[index] : lines[index - 1];
  const right = grip === "end" ? lines[index + 1] : lines[index];
  if (left === undefined || right === undefined) return undefined;
  if (left.locked || right.locked) return [];
  const leftMost = Math.min(0, left.start_ms + SHORTEST_MS - left.end_ms);
  const rightMost = Math.max(0, right.end_ms - SHORTEST_MS - right.start_ms);
  const free = within(by, leftMost, rightMost);
  if (free === 0) return [];
  return [
    { line: left.id, end: left.end_ms + free },
    { line: right.id, start: right.start_ms + free },
  ];
}

/** The free span of a lane around a time where a new line can be drawn from `from` to `to`; undefined if there is too little. */
export function freeSpan(
  lines: readonly Line[],
  from: number,
  to: number,
): { start: number; end: number } | undefined {
  let start = Math.max(0, Math.min(from, to));
  let end = Math.max(from, to);
  for (const line of lines) {
    if (line.start_ms <= from && from < line.end_ms) return undefined;
    if (line.end_ms <= from) start = Math.max(start, line.end_ms);
    else if (line.start_ms > from) {
      end = Math.min(end, line.start_ms);
      break;
    }
  }
  return end - start < SHORTEST_MS ? undefined : { start: Math.round(start), end: Math.round(end) };
}
