/** Rules on the times of a line, as in `pipelines/captions/quality/time_rules.py`. */
import { words } from "../model/text";
import type { Line } from "../types";
import { halfWidths } from "./measure";
import type { Circumstances, Finding, Following, Severity } from "./types";

const RED_SHARE = 1.1;
const CUT_ZONE_MS = 500;
const CUT_TOLERANCE_MS = 21;

export function timeFindings(line: Line, following: Following, about: Circumstances): Finding[] {
  return [
    ...speed(line, about),
    ...duration(line, about),
    ...(following === undefined ? [] : gap(line, following, about)),
    ...(about.limits.follows_cuts && about.cuts.length > 0 ? atCuts(line, about) : []),
    ...sound(line, about),
  ];
}

const finding = (
  rule: Finding["rule"],
  severity: Severity,
  lines: readonly string[],
  values: Finding["values"],
): Finding => ({ rule, severity, lines, values });

const lasts = (line: Line): number => line.end_ms - line.start_ms;

/** Reading speed in characters a second, to a tenth; how many characters there are, and how many the time allows. */
export interface Pace {
  speed: number;
  length: number;
  allowed: number;
  severity: Severity | undefined;
}

export function paceOf(
  line: Pick<Line, "text" | "start_ms" | "end_ms">,
  limits: Circumstances["limits"],
): Pace {
  const halves = halfWidths(line.text, limits.half_width);
  const ms = Math.max(1, line.end_ms - line.start_ms);
  const red = limits.red_speed ?? limits.max_speed * RED_SHARE;
  const over = halves * 500;
  return {
    speed: Math.floor((halves * 10_000 + ms) / (2 * ms)) / 10,
    length: Math.ceil(halves / 2),
    allowed: Math.floor((limits.max_speed * ms) / 1000),
    severity: over > red * ms ? "error" : over > limits.max_speed * ms ? "warning" : undefined,
  };
}

function speed(line: Line, { limits }: Circumstances): Finding[] {
  const pace = paceOf(line, limits);
  if (pace.severity === undefined) return [];
  const values = { speed: pace.speed, limit: limits.max_speed };
  return [finding("too_fast", pace.severity, [line.id], values)];
}

function duration(line: Line, about: Circumstances): Finding[] {
  const found: Finding[] = [];
  const least = leastDuration(line, about);
  const seconds = lasts(line) / 1000;
  if (lasts(line) < least)
    found.push(finding("too_short", "warning", [line.id], { seconds, limit: least / 1000 }));
  const { max_ms } = about.limits;
  if (lasts(line) > max_ms)
    found.push(finding("too_long", "warning", [line.id], { seconds, limit: max_ms / 1000 }));
  return found;
}

function leastDuration(line: Line, { limits }: Circumstances): number {
  const byWords = limits.word_ms > 0 ? limits.word_ms * words(line.text).length : 0;
  return Math.min(Math.max(limits.min_ms, byWords), limits.max_ms);
}

function gap(
  line: Line,
  following: NonNullable<Following>,
  { gapMs, limits }: Circumstances,
): Finding[] {
  const ms = following.start_ms - line.end_ms;
  const both = [line.id, following.id];
  if (ms < 0) return [finding("overlap", "error", both, { ms: -ms })];
  if (ms < gapMs) return [finding("small_gap", "warning", both, { ms, limit: gapMs })];
  if (gapMs + CUT_TOLERANCE_MS < ms && ms < limits.close_below_ms)
    return [finding("open_gap", "info", both, { ms, limit: gapMs })];
  return [];
}

/** The first place in an ordered list that is not below the value. */
function firstFrom(times: readonly number[], value: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function atCuts(line: Line, { cuts, gapMs }: Circumstances): Finding[] {
  const found: Finding[] = [];
  const before = cuts[firstFrom(cuts, line.start_ms) - 1];
  const after = before === undefined ? 0 : line.start_ms - before;
  if (CUT_TOLERANCE_MS < after && after < CUT_ZONE_MS)
    found.push(finding("after_cut", "warning", [line.id], { ms: after }));
  const at = firstFrom(cuts, line.end_ms);
  const far = (cut: number): number => Math.abs(cut - line.end_ms);
  const near = cuts.slice(Math.max(0, at - 1), at + 1).filter((cut) => far(cut) < CUT_ZONE_MS);
  const cut = near.reduce<number | undefined>(
    (best, one) => (best === undefined || far(one) < far(best) ? one : best),
    undefined,
  );
  if (cut === undefined) return found;
  const isThere = Math.abs(line.end_ms - (cut - gapMs)) <= CUT_TOLERANCE_MS;
  if (!isThere && cut - gapMs > line.start_ms)
    found.push(finding("before_cut", "warning", [line.id], { ms: far(cut) }));
  return found;
}

function sound(line: Line, about: Circumstances): Finding[] {
  const [first, last] = [line.words[0], line.words.at(-1)];
  if (first?.confidence == null || last?.confidence == null) return [];
  const found: Finding[] = [];
  const { early_ms: early, late_ms: late, linger_ms: linger } = about.limits;
  const begins = first.start_ms;
  if (early != null && begins - line.start_ms > early)
    found.push(finding("early", "info", [line.id], { ms: begins - line.start_ms, limit: early }));
  if (late != null && line.start_ms - begins > late)
    found.push(finding("late", "info", [line.id], { ms: line.start_ms - begins, limit: late }));
  if (linger != null && line.end_ms > latestEnd(line, last.end_ms, about))
    found.push(
      finding("lingers", "info", [line.id], { ms: line.end_ms - last.end_ms, limit: linger }),
    );
  return found;
}

const latestEnd = (line: Line, last: number, about: Circumstances): number =>
  Math.max(last + (about.limits.linger_ms ?? 0), line.start_ms + timeToRead(line, about));

function timeToRead(line: Line, about: Circumstances): number {
  const halves = halfWidths(line.text, about.limits.half_width);
  const { max_speed } = about.limits;
  let reading = Math.trunc((halves * 500) / max_speed);
  if (halves * 500 > max_speed * reading) reading += 1;
  return Math.max(reading, leastDuration(line, about));
}
