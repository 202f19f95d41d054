/** The lines around the playhead, which the server writes as a script for the preview. */
import type { Schemas } from "../../../platform/api/client";
import { onScreenAt, startedAt } from "../../../domain/captions/timeline";
import { textOf, type View } from "../../../domain/captions/store/state";

const BEFORE = 10;
const AFTER = 50;
const NEEDED_AFTER = 8;

export interface LineWindow {
  from: number;
  to: number;
}

/** The window for a position; `held` as long as the lines that come next are in it. */
export function windowAt(
  lines: View["captions"]["lines"],
  ms: number,
  held?: LineWindow,
): LineWindow {
  const now = Math.max(0, startedAt(lines, ms));
  // A sign may stay while many lines come and go.
  const first = onScreenAt(lines, ms)[0] ?? now;
  const covers =
    held !== undefined &&
    held.from <= first &&
    Math.min(lines.length, now + NEEDED_AFTER) <= held.to;
  return covers
    ? held
    : { from: Math.max(0, Math.min(first, now - BEFORE)), to: Math.min(lines.length, now + AFTER) };
}

/** The lines of a window as they are on the page, typed text included. */
export function linesOf(
  { captions, typed }: View,
  { from, to }: LineWindow,
): Schemas["DrawnLine"][] {
  return captions.lines.slice(from, to).map((line) => ({
    start_ms: line.start_ms,
    end_ms: line.end_ms,
    text: textOf(line, typed.get(line.id)),
    words: line.words.map(({ start_ms, end_ms, text, styles }) => ({
      start_ms,
      end_ms,
      text,
      styles: styles ?? [],
    })),
    speaker: line.speaker,
    place: line.place ?? null,
  }));
}
