/** Lanes, by the rules of `pipelines/captions/lanes.py`: lines in different parts of the picture may be shown at once. */
import type { Line, LinePlace } from "./types";

export type Lane = "bottom" | "middle" | "top";

type Placed = Pick<Line, "place">;

const UPWARDS: readonly Lane[] = ["bottom", "middle", "top"];

/** The third of the picture that a place is in. */
export function laneOf(place: LinePlace | null | undefined): Lane {
  if (place == null) return "bottom";
  const third =
    place.y == null ? Math.floor((place.align - 1) / 3) : 2 - Math.min(2, Math.floor(place.y * 3));
  return UPWARDS[third] ?? "bottom";
}

/** Greater for a lane above another. */
export const heightOf = ({ place }: Placed): number => UPWARDS.indexOf(laneOf(place));

/** The lines of one lane, in their order. */
export const inLane = <T extends Placed>(lines: readonly T[], lane: Lane): readonly T[] =>
  lines.every(({ place }) => laneOf(place) === lane)
    ? lines
    : lines.filter(({ place }) => laneOf(place) === lane);

/** The lines of each lane that has any. */
export const byLane = <T extends Placed>(lines: readonly T[]): (readonly T[])[] =>
  UPWARDS.map((lane) => inLane(lines, lane)).filter((lane) => lane.length > 0);

/** The line before or after the one at an index in its lane. */
export function besideInLane(
  lines: readonly Line[],
  index: number,
  direction: 1 | -1,
): Line | undefined {
  const lane = laneOf(lines[index]?.place);
  for (let at = index + direction; at >= 0 && at < lines.length; at += direction) {
    const line = lines[at];
    if (laneOf(line?.place) === lane) return line;
  }
  return undefined;
}
