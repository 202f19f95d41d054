/** Places that keys play from or go to. */
import type { Editing } from "../../editor/editing";

/** Play on from the start of the selected line. */
export function playFrom(editing: Editing): void {
  const line = editing.chosen();
  if (line === undefined) return;
  editing.playback.goTo(line.start_ms);
  editing.playback.play();
}

/** Play the line and some time around it; a negative `before` plays its last part only. In milliseconds. */
export function playAround(editing: Editing, before: number, after: number): void {
  const line = editing.chosen();
  if (line === undefined) return;
  const start = before < 0 ? Math.max(line.start_ms, line.end_ms + before) : line.start_ms - before;
  editing.playback.playSpan(Math.max(0, start), line.end_ms + after);
}

/** Go to the next or previous shot change. */
export function goToShot({ playback, shots }: Editing, direction: 1 | -1): void {
  const at = playback.shownMs;
  const target =
    direction > 0
      ? shots.find((shot) => shot > at + 1)
      : shots.filter((shot) => shot < at - 1).at(-1);
  if (target !== undefined) playback.goTo(target);
}
