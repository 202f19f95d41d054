/** Commands applied to lines before the server answers, by the rules of `pipelines/captions/edits/edit.py`. */
import { limitOf } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/editor";
import type { Line } from "../types";
import { changeLines, sameWord } from "./bulk";
import { inLane, laneOf } from "../lanes";
import { isTravel, type AddCommand, type Command, type EditCommand } from "./commands";
import type { LineCommand, MergeCommand, SplitCommand } from "./commands";
import { dialogue, withoutDashes } from "./dialogue";
import { mergedSource, newLine, retimed, withLines } from "./line";
import { realign, spread } from "./realign";
import { BACKWARDS, LATEST_MS, LOCKED, OUTSIDE, Refusal } from "./refusal";
import { follow } from "./retime";
import { splitLine } from "./splitLine";
import { wordsOfBoth } from "./spokenBy";
import { characters, cleanText, graphemeStart, isBlank, isSpace, wordUnits } from "./text";
import { travel, type History, type Step } from "./history";

/** The lines as a person sees them, and what undo and redo would do to them. */
export interface Model extends History {
  lines: Line[];
}

export type Outcome =
  /** `step` is null when the command changed nothing. */
  | { kind: "done"; model: Model; step: Step | null }
  | { kind: "refused"; message: string }
  /** Only the server knows what this undo or redo does. */
  | { kind: "unknown" };

export const GONE = t("lineGone");
export const NO_ROOM = t("timeTaken");
const NOT_INSIDE = t("notInside");
const TOO_SHORT = t("tooShort");
const NOT_BESIDE = t("notBeside");
const OTHER_LANE = t("otherLane");
const NOTHING_TO_UNDO = t("nothingToUndo");
const NOTHING_TO_REDO = t("nothingToRedo");

export function apply(model: Model, command: Command): Outcome {
  if (isTravel(command)) {
    const travelled = travel(model, command.action);
    if (travelled === "unknown") return { kind: "unknown" };
    if (travelled === "nothing") {
      const message = command.action === "Undo" ? NOTHING_TO_UNDO : NOTHING_TO_REDO;
      return { kind: "refused", message };
    }
    const { step, ...history } = travelled;
    return { kind: "done", model: { ...history, lines: stepped(model.lines, step) }, step };
  }
  try {
    const step = stepOf(model.lines, command);
    return { kind: "done", step, model: step === null ? model : extended(model, step) };
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", message: error.message };
    throw error;
  }
}

/** The lines after a step. */
export function stepped(lines: Line[], { before, after }: Step): Line[] {
  return withLines(
    lines,
    before.map((line) => line.id),
    after,
  );
}

/** The model after a new change: what was undone before it cannot come back, as in every editor. */
export function extended(model: Model, step: Step): Model {
  return {
    lines: stepped(model.lines, step),
    done: { step, rest: model.done },
    undone: null,
    olderDone: model.olderDone,
    olderUndone: false,
  };
}

function stepOf(lines: Line[], command: LineCommand): Step | null {
  switch (command.action) {
    case "Edit":
      return edit(lines, command);
    case "Split":
      return split(lines, command);
    case "Merge":
      return merge(lines, command);
    case "Delete":
      return { before: [unlocked(found(lines, command.line))], after: [] };
    case "Add":
      return add(lines, command);
    case "Change":
      return changeLines(lines, command);
  }
}

function edit(lines: Line[], { line: id, content, start, end }: EditCommand): Step | null {
  const old = found(lines, id);
  let line = old;
  const [from, to] = [start ?? old.start_ms, end ?? old.end_ms];
  if (from !== old.start_ms || to !== old.end_ms) {
    const others = inLane(lines, laneOf(old.place)).filter((one) => one.id !== id);
    line = follow(old, ...fitted(others, from, to));
  }
  if (content !== undefined) line = written(line, cleanText(content));
  return sameLine(line, old) ? null : { before: [unlocked(old)], after: [line] };
}

function split(lines: Line[], command: SplitCommand): Step {
  const old = unlocked(found(lines, command.line));
  absent(lines, command.newLine);
  const { content } = command;
  // Never between the halves of a surrogate pair.
  const low = content.charCodeAt(command.at);
  const caret = low >= 0xdc00 && low <= 0xdfff && command.at > 0 ? command.at - 1 : command.at;
  const behind = content.slice(0, caret);
  const ahead = content.slice(caret);
  const spaced = !isBlank(behind) && isSpace(behind.at(-1) ?? "") && !isBlank(ahead);
  const line = written(old, cleanText(content));
  const at = graphemeStart(line.text, cleanText(behind).length + (spaced ? 1 : 0));
  if (isBlank(line.text.slice(0, at)) || isBlank(line.text.slice(at)))
    throw new Refusal(NOT_INSIDE);
  const limit = limitOf("text_limits", "caption_line");
  const count = characters(line.text);
  if (count > limit) throw new Refusal(t("tooLongToSplit", { count, limit }));
  if (line.end_ms - line.start_ms < 2) throw new Refusal(TOO_SHORT);
  const [text, place] = withoutDashes(line.text, at);
  return { before: [old], after: splitLine(written(line, text), place, command.newLine) };
}

function merge(lines: Line[], command: MergeCommand): Step {
  const [first, second] = [found(lines, command.line), found(lines, command.with)];
  const lane = laneOf(first.place);
  if (laneOf(second.place) !== lane) throw new Refusal(OTHER_LANE);
  const row = inLane(lines, lane);
  const [one, other] = [row.indexOf(first), row.indexOf(second)];
  const left = row[Math.min(one, other)];
  const right = row[Math.max(one, other)];
  if (Math.abs(one - other) !== 1 || left === undefined || right === undefined) {
    throw new Refusal(NOT_BESIDE);
  }
  unlocked(left);
  unlocked(right);
  const rows = command.dash && dialogue(left.text, right.text, command.dash);
  const text = [left.text, right.text].filter((part) => part !== "").join(" ");
  const limit = limitOf("text_limits", "caption_line");
  if (characters(rows ?? text) > limit) throw new Refusal(t("tooLongTogether", { limit }));
  const line: Line = {
    ...retimed(left, left.start_ms, right.end_ms),
    text,
    ...wordsOfBoth(left, right),
    doubts: [...new Set([...left.doubts, ...right.doubts])],
    source: mergedSource(left.source, right.source),
    place: left.place ?? right.place,
  };
  if (rows === undefined) return { before: [left, right], after: [line] };
  return { before: [left, right], after: [{ ...line, text: rows, words: realign(line, rows) }] };
}

function add(lines: Line[], command: AddCommand): Step {
  absent(lines, command.newLine);
  const place = command.place ?? null;
  const [start, end] = fitted(inLane(lines, laneOf(place)), command.start, command.end);
  const text = cleanText(command.content);
  const words = spread(wordUnits(text), start, end);
  return { before: [], after: [{ ...newLine(command.newLine, start, end), text, words, place }] };
}

/** The span in milliseconds, cut at the edges of the lines it reaches into. */
function fitted(others: readonly Line[], from: number, to: number): [number, number] {
  if (from < 0 || to > LATEST_MS) throw new Refusal(OUTSIDE);
  if (to <= from) throw new Refusal(BACKWARDS);
  let [start, end] = [from, to];
  for (const line of others) {
    if (line.start_ms <= from && from < line.end_ms) start = Math.max(start, line.end_ms);
    else if (from < line.start_ms && line.start_ms < to) end = Math.min(end, line.start_ms);
  }
  if (end <= start) throw new Refusal(NO_ROOM);
  return [start, end];
}

const written = (line: Line, text: string): Line =>
  text === line.text ? line : { ...line, text, words: realign(line, text), doubts: [] };

const sameLine = (a: Line, b: Line): boolean =>
  a === b ||
  (a.text === b.text &&
    a.start_ms === b.start_ms &&
    a.end_ms === b.end_ms &&
    a.words.length === b.words.length &&
    a.words.every((word, place) => sameWord(word, b.words[place])));

function found(lines: Line[], id: string): Line {
  const line = lines.find((one) => one.id === id);
  if (line === undefined) throw new Refusal(GONE);
  return line;
}

function unlocked(line: Line): Line {
  if (line.locked) throw new Refusal(LOCKED);
  return line;
}

function absent(lines: Line[], id: string): void {
  if (lines.some((line) => line.id === id)) throw new Refusal(GONE);
}
