/** The lines of a reference around a span of time. All times are in milliseconds. */
import { startedAt } from "../../../domain/captions/timeline";
import type { Line } from "../../../domain/captions/types";

/** So many lines are shown before and after the span. */
const AROUND = 8;

export interface Nearby {
  line: Line;
  /** When it starts in the film that one works on. */
  at: number;
  /** Whether it is on screen within the span. */
  isThen: boolean;
}

/** `later`: by how much the reference comes later than what one works on. */
export function nearby(
  lines: readonly Line[],
  span: { start_ms: number; end_ms: number },
  later: number,
): Nearby[] {
  const [from, to] = [span.start_ms + later, span.end_ms + later];
  const first = Math.max(0, startedAt(lines, from) - AROUND);
  const last = startedAt(lines, Math.max(from, to - 1)) + AROUND;
  return lines.slice(first, last + 1).map((line) => ({
    line,
    at: line.start_ms - later,
    isThen: line.start_ms < to && line.end_ms > from,
  }));
}
