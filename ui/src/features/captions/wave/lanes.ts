import { heightOf } from "../../../domain/captions/lanes";
import type { Line } from "../../../domain/captions/types";

/** Where a block stands: over the whole height, or above or below another line that is on screen at the same time. */
export type Half = "whole" | "upper" | "lower";

/** The half of each line, in their order, which is that of their starts. Of three at once two share one. */
export function halvesOf(lines: readonly Pick<Line, "start_ms" | "end_ms" | "place">[]): Half[] {
  const halves: Half[] = lines.map(() => "whole");
  let shown: number[] = [];
  lines.forEach((line, index) => {
    shown = shown.filter((other) => (lines[other]?.end_ms ?? 0) > line.start_ms);
    for (const other of shown) {
      const earlier = lines[other];
      if (earlier === undefined) continue;
      const higher = heightOf(line) - heightOf(earlier);
      // Of two in one part of the picture the earlier is above, unless it is below another one already.
      const isAbove = higher === 0 ? halves[other] === "lower" : higher > 0;
      halves[index] = isAbove ? "upper" : "lower";
      if (halves[other] === "whole") halves[other] = isAbove ? "lower" : "upper";
    }
    shown.push(index);
  });
  return halves;
}
