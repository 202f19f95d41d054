/** The cited lines of a sentence as chips with a time: lines that follow each other share one. */
import type { Cite } from "./data";

/** Lines closer than this are one passage. */
const TOGETHER_MS = 1_000;

export interface Chip {
  /** The first line's id. */
  id: string;
  start_ms: number;
  end_ms: number;
  lines: Cite[];
  changed: boolean;
}

export const isChanged = (cite: Pick<Cite, "was" | "is_gone">): boolean =>
  cite.was !== null || cite.is_gone;

export function chipsOf(cites: readonly Cite[]): Chip[] {
  const chips: Chip[] = [];
  for (const cite of [...cites].sort((one, other) => one.start_ms - other.start_ms)) {
    const last = chips.at(-1);
    if (last !== undefined && cite.start_ms - last.end_ms <= TOGETHER_MS) {
      last.lines.push(cite);
      last.end_ms = Math.max(last.end_ms, cite.end_ms);
      last.changed ||= isChanged(cite);
    } else {
      const { line_id: id, start_ms, end_ms } = cite;
      chips.push({ id, start_ms, end_ms, lines: [cite], changed: isChanged(cite) });
    }
  }
  return chips;
}
