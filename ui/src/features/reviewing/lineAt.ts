import type { ReviewLine } from "./data";

/** The line at a time. Of two at once, the later one. */
export function lineAt(lines: readonly ReviewLine[], ms: number): ReviewLine | undefined {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.start_ms ?? 0) <= ms) low = middle + 1;
    else high = middle;
  }
  const line = lines[low - 1];
  return line !== undefined && ms < line.end_ms ? line : undefined;
}
