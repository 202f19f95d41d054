import type { Line } from "../../../domain/captions/types";

/** Where a block stands: over the whole height, or above or below another line that is on screen at the same time. */
export type Lane = "whole" | "upper" | "lower";

/** The lane of each line, in their order, which is that of their starts. A third line at once shares the lower lane. */
export function lanesOf(lines: readonly Pick<Line, "start_ms" | "end_ms">[]): Lane[] {
  const lanes: Lane[] = [];
  let upper: { index: number; end: number } | undefined;
  let lowerEnd = Number.NEGATIVE_INFINITY;
  lines.forEach(({ start_ms, end_ms }, index) => {
    if (upper !== undefined && start_ms < upper.end) {
      lanes[upper.index] = "upper";
      lanes.push("lower");
      lowerEnd = Math.max(lowerEnd, end_ms);
    } else {
      lanes.push(start_ms < lowerEnd ? "upper" : "whole");
      upper = { index, end: end_ms };
    }
  });
  return lanes;
}
