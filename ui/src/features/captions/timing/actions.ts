/** What the keys of the timing group do: edges, words and rows of the selected line, by one step of the history each. */
import { t } from "../../../platform/messages/editing";
import { toast } from "../../../platform/notices/toast";
import type { Editing } from "../../editor/editing";
import { caretOf } from "../../editor/focus";
import { LOCKED } from "../../../domain/captions/model/refusal";
import type { BulkChange, LineChange } from "../../../domain/captions/model/commands";
import { besideInLane, inLane, type Lane } from "../../../domain/captions/lanes";
import type { Line, LinePlace } from "../../../domain/captions/types";
import { freeSpan } from "./drag";
import { nudged, type Distance, type Nudged } from "./nudge";
import { untilNext } from "./times";
import { balanced, headToPrevious, tailToNext, wordAt } from "./words";

/** The longest line that "extend to the next line" makes. */
const LONGEST_MS = 7_000;

/** Run changes as one step. Says so when there is nothing to change. */
export function run(
  editing: Editing,
  label: string,
  changes: LineChange[],
  more: Omit<BulkChange, "changes"> = {},
): boolean {
  if (changes.length === 0) {
    toast("warning", t("timing.noRoom"));
    return false;
  }
  return editing.change(label, { changes, ...more }) !== undefined;
}

/** Move an edge of the selected line, or the selected lines, as a drag would: in a video by whole frames. */
export function nudge(editing: Editing, what: Nudged, by: number, cascade: boolean): void {
  const { frames } = editing.playback;
  move(editing, what, cascade, (edge, side) =>
    frames === undefined ? side * by : frames.moved(edge, side * by) - edge,
  );
}

function move(editing: Editing, what: Nudged, cascade: boolean, by: Distance): void {
  const line = editing.chosen();
  if (line === undefined) {
    toast("warning", t("timing.selectFirst"));
    return;
  }
  if (line.locked) {
    toast("warning", LOCKED);
    return;
  }
  const ids = new Set(editing.selection().map(({ id }) => id));
  const { frames } = editing.playback;
  run(
    editing,
    t("timing.nudge"),
    nudged(editing.lines(), line, what, by, { ids, cascade, frames }),
  );
}

/** The longest line that a key adds at the playhead. */
const ADDED_MS = 2_000;
const TOP_CENTRE = 8;

/** Add a line at the playhead, as long as there is room. */
export const addHere = (editing: Editing): void => addIn(editing, "bottom", undefined);

/** Add a line at the top of the picture at the playhead, for a sign or a title, whatever stands below. */
export const addSign = (editing: Editing): void =>
  addIn(editing, "top", { align: TOP_CENTRE, x: null, y: null });

function addIn(editing: Editing, lane: Lane, place: LinePlace | undefined): void {
  const at = editing.playback.shownMs;
  const span = freeSpan(inLane(editing.lines(), lane), at, at + ADDED_MS);
  if (span === undefined) editing.refuseLine(t("timing.noRoomToAdd"));
  else editing.addAt(at, span.end, place);
}

/** End the selected line at the playhead and start the next one after the gap; then go there. */
export function outAndNextIn(editing: Editing, gap: number): void {
  const line = editing.chosen();
  const next = beside(editing, line, 1);
  if (line === undefined || next === undefined) return;
  const { shownMs: at, frames } = editing.playback;
  const start = Math.min(at + gap, next.end_ms - 1);
  const changes = [
    { line: line.id, end: at },
    { line: next.id, start: frames?.inside(start, next.end_ms).start ?? start },
  ];
  if (run(editing, t("timing.outAndNextIn"), changes)) editing.select(next.id);
}

/** Move the selected line so that it starts at the playhead, as far as there is room. */
export function moveHere(editing: Editing, cascade: boolean): void {
  move(editing, "body", cascade, (start) => editing.playback.shownMs - start);
}

export function extendToNext(editing: Editing, gap: number): void {
  const ids = new Set(editing.selection().map(({ id }) => id));
  const changes = untilNext(editing.lines(), ids, { gap, most: LONGEST_MS });
  run(editing, t("timing.extendToNext"), changes);
}

/** Pull the next line's first word into this line (1), or push this line's last word down (-1). */
export function passWord(editing: Editing, direction: 1 | -1): void {
  const line = editing.chosen();
  const next = beside(editing, line, 1);
  if (line === undefined || next === undefined) return;
  const changes =
    direction > 0 ? headToPrevious(line, next, 1) : tailToNext(line, next, line.words.length - 1);
  give(editing, changes, line);
}

/** Give the text on one side of the caret to the line beside. */
export function splitTo(editing: Editing, side: "next" | "previous"): void {
  const line = editing.chosen();
  const other = beside(editing, line, side === "next" ? 1 : -1);
  if (line === undefined || other === undefined) return;
  const caret = caretOf(line.id) ?? Math.ceil(line.text.length / 2);
  const at = wordAt(line, caret);
  give(
    editing,
    side === "next" ? tailToNext(line, other, at) : headToPrevious(other, line, at),
    line,
  );
}

function give(editing: Editing, changes: LineChange[] | undefined, line: Line): void {
  const typing = caretOf(line.id);
  if (changes === undefined) toast("warning", t("timing.noWords"));
  else if (run(editing, t("timing.moveWords"), changes) && typing !== undefined)
    editing.goInto(line.id, Math.min(typing, editing.find(line.id)?.text.length ?? 0));
}

export function rebalance(editing: Editing, maxRow: number): void {
  const changes = editing.selection().flatMap((line) => {
    const content = balanced(line.text, maxRow);
    return line.locked || content === line.text ? [] : [{ line: line.id, content }];
  });
  if (changes.length > 0) editing.change(t("timing.rebalance"), { changes });
}

function beside(editing: Editing, line: Line | undefined, direction: 1 | -1): Line | undefined {
  if (line === undefined) return undefined;
  const other = besideInLane(editing.lines(), editing.indexOf(line), direction);
  if (other === undefined) toast("warning", t("timing.noNext"));
  return other;
}
