/** Many changes as one step, by the rules of `pipelines/captions/edits/bulk.py`. */
import { t } from "../../../platform/messages/editor";
import { byLane } from "../lanes";
import { stamp } from "../times";
import type { Line, LinePlace, Word, WordStyle } from "../types";
import type { BulkChange, LineChange } from "./commands";
import type { Step } from "./history";
import { inTime, newLine, retimed } from "./line";
import { MOST_COMPARED, realign, spread } from "./realign";
import { BACKWARDS, LATEST_MS, OUTSIDE, Refusal } from "./refusal";
import { follow } from "./retime";
import { spokenBy } from "./spokenBy";
import { cleanText, withoutSpace, wordUnits } from "./text";

const GONE = t("oneGone");
const TWICE = t("namedTwice");
const STYLES = t("stylesDoNotFit");
const STYLE_ORDER: readonly WordStyle[] = ["italic", "bold", "underline"];
/** Pairs of words that one change compares in all. */
const PAIRS_MAX = 2_000_000;

/** The lines before and after all changes; null when nothing changes. Only the final state must fit. */
export function changeLines(lines: Line[], change: BulkChange): Step | null {
  const { changes = [], added = [], removed = [], with_words = false } = change;
  const byId = new Map(lines.map((line) => [line.id, line]));
  const names = [
    ...changes.map(({ line }) => line),
    ...removed,
    ...added.map(({ new_line }) => new_line),
  ];
  if (new Set(names).size < names.length) throw new Refusal(TWICE);
  const named = (id: string): Line => {
    const line = byId.get(id);
    if (line === undefined) throw new Refusal(GONE);
    return line;
  };
  const before = [...changes.map(({ line }) => named(line)), ...removed.map(named)];
  if (added.some(({ new_line }) => byId.has(new_line))) throw new Refusal(TWICE);
  checkUnlocked(byId, changes, removed);
  const timed = new Map<string, Line>();
  const texts = new Map<string, string>();
  for (const one of changes) {
    timed.set(one.line, withTimes(placed(named(one.line), one), one, with_words));
    if (one.content != null) texts.set(one.line, cleanText(one.content));
  }
  for (const { new_line, start, end, content, place } of added) {
    timed.set(new_line, { ...newLine(new_line, start, end), place: place ?? null });
    texts.set(new_line, cleanText(content ?? ""));
  }
  check(lines, removed, timed);
  const after = written(before, timed, texts);
  for (const one of changes) {
    const line = after.get(one.line);
    if (line !== undefined) after.set(one.line, looking(line, one));
  }
  const same = new Set(before.filter((line) => sameLine(line, after.get(line.id))));
  const step = {
    before: before.filter((line) => !same.has(line)).sort(inTime),
    after: [...after.values()].filter((line) => !same.has(byId.get(line.id) ?? line)).sort(inTime),
  };
  return step.before.length + step.after.length === 0 ? null : step;
}

/** A locked line can only be unlocked, or changed by what also unlocks it. */
function checkUnlocked(
  byId: ReadonlyMap<string, Line>,
  changes: readonly LineChange[],
  removed: readonly string[],
): void {
  const touched = changes.filter((one) => one.locked !== false && !isLockOnly(one));
  for (const id of [...touched.map(({ line }) => line), ...removed]) {
    const line = byId.get(id);
    if (line?.locked !== true) continue;
    throw new Refusal(t("lockedAt", { time: stamp(line.start_ms) }));
  }
}

const isLockOnly = ({ place, content, start, end, styles, forced }: LineChange): boolean =>
  place === undefined && (content ?? start ?? end ?? styles ?? forced ?? null) === null;

const placed = (line: Line, { place }: LineChange): Line =>
  place === undefined ? line : { ...line, place };

/** The line with the flags and the styles that a change names. */
function looking(line: Line, { locked, forced, styles }: LineChange): Line {
  const held = {
    ...line,
    ...(locked != null && { locked }),
    ...(forced != null && { forced }),
  };
  if (styles == null) return held;
  if (styles.length !== line.words.length) throw new Refusal(STYLES);
  const words = line.words.map((word, index) => {
    const next: Word = { ...word };
    delete next.styles;
    const chosen = STYLE_ORDER.filter((style) => styles[index]?.includes(style));
    return chosen.length === 0 ? next : { ...next, styles: chosen };
  });
  return { ...held, words };
}

function withTimes(line: Line, change: LineChange, withWords: boolean): Line {
  const [start, end] = [change.start ?? line.start_ms, change.end ?? line.end_ms];
  if (start === line.start_ms && end === line.end_ms) return line;
  if (!withWords) return follow(line, start, end);
  const long = line.end_ms - line.start_ms;
  const moved = (at: number): number =>
    Math.max(
      0,
      end - start === long || long === 0
        ? at + start - line.start_ms
        : start + Math.floor(((at - line.start_ms) * (end - start)) / long),
    );
  const words = line.words.map((word) => ({
    ...word,
    start_ms: moved(word.start_ms),
    end_ms: moved(word.end_ms),
  }));
  return { ...retimed(line, start, end), words };
}

function check(lines: Line[], removed: string[], timed: Map<string, Line>): void {
  for (const { start_ms, end_ms } of timed.values()) {
    if (start_ms < 0 || end_ms > LATEST_MS) throw new Refusal(OUTSIDE);
    if (end_ms <= start_ms) throw new Refusal(BACKWARDS);
  }
  const gone = new Set([...removed, ...timed.keys()]);
  const after = [...lines.filter(({ id }) => !gone.has(id)), ...timed.values()].sort(inTime);
  for (const row of byLane(after)) {
    row.forEach((left, index) => {
      const right = row[index + 1];
      if (right === undefined || left.end_ms <= right.start_ms) return;
      if (!timed.has(left.id) && !timed.has(right.id)) return;
      throw new Refusal(t("wouldOverlap", { time: stamp(left.start_ms) }));
    });
  }
}

function written(
  before: Line[],
  timed: Map<string, Line>,
  texts: Map<string, string>,
): Map<string, Line> {
  const fresh = new Set(
    [...texts].filter(([id, text]) => timed.get(id)?.text !== text).map(([id]) => id),
  );
  const flowing = fresh.size > 0 ? flowed(before, timed, texts) : undefined;
  const was = new Set(before.map(({ id }) => id));
  let pairsLeft = PAIRS_MAX;
  const after = new Map<string, Line>();
  for (const line of [...timed.values()].sort(inTime)) {
    const text = texts.get(line.id) ?? line.text;
    const doubts = fresh.has(line.id) ? [] : line.doubts;
    const held = flowing?.get(line.id);
    if (held !== undefined) after.set(line.id, { ...held, text, doubts });
    else if (!was.has(line.id)) {
      const words = spread(wordUnits(text), line.start_ms, line.end_ms);
      after.set(line.id, { ...line, text, words });
    } else if (fresh.has(line.id)) {
      const allowed = Math.min(MOST_COMPARED, pairsLeft);
      pairsLeft -= Math.min(allowed, line.words.length * wordUnits(text).length);
      after.set(line.id, { ...line, text, words: realign(line, text, allowed), doubts });
    } else after.set(line.id, line);
  }
  return after;
}

/** The lines with their words, where the same words stand in them in the same order; undefined where they do not. */
function flowed(
  before: Line[],
  timed: Map<string, Line>,
  texts: Map<string, string>,
): Map<string, Line> | undefined {
  const stream = [...before]
    .sort(inTime)
    .flatMap((line) =>
      (timed.get(line.id) ?? line).words.map((word) => ({ word, of: line.speaker })),
    );
  const target = [...timed.values()].sort(inTime);
  const textOf = (line: Line) => texts.get(line.id) ?? line.text;
  const whole = target.map((line) => withoutSpace(textOf(line))).join("");
  if (whole !== stream.map(({ word }) => withoutSpace(word.text)).join("")) return undefined;
  const was = new Set(before.map(({ id }) => id));
  const result = new Map<string, Line>();
  let at = 0;
  for (const line of target) {
    let { speaker } = line;
    const words: Word[] = [];
    let left = withoutSpace(textOf(line)).length;
    while (left > 0) {
      const next = stream[at];
      if (next === undefined) return undefined;
      if (words.length === 0 && !was.has(line.id)) speaker = next.of;
      left -= withoutSpace(next.word.text).length;
      words.push(...spokenBy([next.word], next.of, speaker));
      at += 1;
    }
    const units = words.flatMap((word) => wordUnits(word.text));
    if (left < 0 || units.join(" ") !== wordUnits(textOf(line)).join(" ")) return undefined;
    const next = { ...line, words, speaker };
    const same =
      words.length === line.words.length &&
      words.every((word, index) => sameWord(word, line.words[index]));
    result.set(line.id, same ? next : follow(next, next.start_ms, next.end_ms));
  }
  return result;
}

const sameLine = (a: Line, b: Line | undefined): boolean =>
  b !== undefined &&
  (a === b ||
    (a.text === b.text &&
      a.start_ms === b.start_ms &&
      a.end_ms === b.end_ms &&
      a.doubts.length === b.doubts.length &&
      (a.locked ?? false) === (b.locked ?? false) &&
      (a.forced ?? false) === (b.forced ?? false) &&
      samePlace(a.place, b.place) &&
      a.words.length === b.words.length &&
      a.words.every((word, index) => sameWord(word, b.words[index]))));

const samePlace = (a: LinePlace | null, b: LinePlace | null): boolean =>
  a === b || (a?.align === b?.align && a?.x === b?.x && a?.y === b?.y);

// Not as JSON: the server and the editor write the fields of a word in different orders.
export const sameWord = (a: Word, b: Word | undefined): boolean =>
  b !== undefined &&
  a.start_ms === b.start_ms &&
  a.end_ms === b.end_ms &&
  a.text === b.text &&
  a.origin === b.origin &&
  a.confidence === b.confidence &&
  (a.speaker ?? null) === (b.speaker ?? null) &&
  (a.styles ?? []).join() === (b.styles ?? []).join();
