/** Times on the frames of a picture, and times for another rate of frames. All times are in milliseconds. */
import { byLane } from "../../../domain/captions/lanes";
import type { LineChange } from "../../../domain/captions/model/commands";
import type { Line } from "../../../domain/captions/types";
import type { Frames } from "../../editor/playback/Frames";
import type { Ids } from "./times";

const NTSC = 1_000 / 1_001;

/** Starts and ends moved to the nearest frame, except of locked lines. Each line keeps a frame, and none comes to overlap. */
export const onGrid = (lines: readonly Line[], ids: Ids, frames: Frames): LineChange[] =>
  byLane(lines).flatMap((lane) => laneOnGrid(lane, ids, frames));

function laneOnGrid(lines: readonly Line[], ids: Ids, frames: Frames): LineChange[] {
  let [before, earliest] = [0, 0];
  return lines.flatMap((line) => {
    // Two that overlap stay so.
    const follows = line.start_ms >= before;
    before = Math.max(before, line.end_ms);
    if (!ids.has(line.id) || line.locked) {
      earliest = Math.max(earliest, line.end_ms);
      return [];
    }
    const nearest = frames.nearest(line.start_ms);
    const start = follows ? Math.max(nearest, frames.start(frames.from(earliest))) : nearest;
    const end = Math.max(
      frames.nearest(line.end_ms),
      frames.start(frames.at(start + frames.lengthMs / 2) + 1),
    );
    earliest = Math.max(earliest, end);
    return start === line.start_ms && end === line.end_ms ? [] : [{ line: line.id, start, end }];
  });
}

/** Changes whose times meet frames, where the clock counts them. Times before the film stay, and are refused. */
export const snapped = (changes: LineChange[], frames: Frames | undefined): LineChange[] => {
  if (frames === undefined) return changes;
  const nearest = (ms: number) => (ms < 0 ? ms : frames.nearest(ms));
  return changes.map((change) => ({
    ...change,
    ...(change.start != null && { start: nearest(change.start) }),
    ...(change.end != null && { end: nearest(change.end) }),
  }));
};

/** 29.97 stands for 30,000 frames in 1,001 seconds. */
const exact = (fps: number): number => (Number.isInteger(fps) ? fps : Math.round(fps) * NTSC);

/** By how much longer a film lasts at one rate than at another, frame by frame the same. */
export const factorOf = (from: number, to: number): number => exact(from) / exact(to);

/** The times of lines for a film that runs `factor` times as long. Locked lines stay. */
export function scaled(lines: readonly Line[], factor: number): LineChange[] {
  return lines.flatMap(({ id, locked, start_ms, end_ms }) => {
    const start = Math.round(start_ms * factor);
    const end = Math.max(start + 1, Math.round(end_ms * factor));
    return locked || (start === start_ms && end === end_ms) ? [] : [{ line: id, start, end }];
  });
}
