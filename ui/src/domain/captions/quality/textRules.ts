/** Rules on the text of a line, as in `pipelines/captions/quality/text_rules.py`. */
import { sameWord, words, wordUnits } from "../model/text";
import type { Line } from "../types";
import { DASHES, dashOf, forbiddenBreak, labelOf } from "./marks";
import { halfWidths } from "./measure";
import type { Circumstances, Finding, Severity } from "./types";

const DOUBLED = /[ \t\u00a0]{2,}/u;
const BEFORE_STOP = / [,.](?![.\d])/u;
const OPEN_CODE = /\{\\[^{}]{0,40}$/u;
const SIMPLE_TAG = /<(\/?)([A-Za-z]{1,4})(?:[ .][^<>]{0,40})?>/gu;
const PAIRED = ["i", "b", "u", "s", "font", "c", "v"];
const UNSPOKEN = /[*_^~|\\\ufffd]/u;
const NUMBER = /^[("'“„‘¿¡]{0,3}([0-9]{1,6})[)"'”“’,;:!?….]{0,4}$/u;
const UNIT =
  /^(?:%|°|kg|g|km|m|cm|mm|ml|l|s|ms|h|min|am|pm|a\.m|p\.m|kr|usd|eur|gb|mb|tb|k|x|million|milljón|milljónir|milljarðar|o'clock)[.,;:!?]{0,3}$/iu;
const SENTENCE_END = /[.!?…]["'”’»)\]]{0,3}$/u;
const NUMBER_LANGUAGES = new Set(["en", "is"]);
const ROW_SENTENCE_END = /[.!?…。！？]["'”’»)\]]*$/u;
const ROW_CLAUSE_END = /[,;:–—、，；：]["'”’»)\]]*$|^[-–—]$/u;
const CAPITAL = /^[A-ZÀ-ÖØ-Þ][a-zà-öø-ÿ]/u;

export function textFindings(line: Line, about: Circumstances): Finding[] {
  return [
    ...lengths(line, about),
    ...forms(line, about),
    ...rows(line, about),
    ...numbers(line, about),
  ];
}

const finding = (
  rule: Finding["rule"],
  severity: Severity,
  line: Line,
  values: Finding["values"] = {},
): Finding => ({ rule, severity, lines: [line.id], values });

function lengths(line: Line, { limits }: Circumstances): Finding[] {
  const found: Finding[] = [];
  const all = line.text.split("\n");
  const longest = Math.max(...all.map((row) => halfWidths(row, limits.half_width)));
  if (longest > 2 * limits.max_row) {
    const values = { length: Math.floor((longest + 1) / 2), limit: limits.max_row };
    const severity = longest * 10 > 22 * limits.max_row ? "error" : "warning";
    found.push(finding("row_too_long", severity, line, values));
  }
  if (all.length > limits.max_rows) {
    const values = { rows: all.length, limit: limits.max_rows };
    found.push(finding("too_many_rows", "error", line, values));
  }
  return found;
}

function forms(line: Line, { undrawable }: Circumstances): Finding[] {
  const found: Finding[] = [];
  const { text } = line;
  if (hasOddSpaces(text)) found.push(finding("spaces", "warning", line));
  const tag = unclosed(text);
  if (tag !== undefined) found.push(finding("tag", "error", line, { tag }));
  const unspoken = UNSPOKEN.exec(text)?.[0];
  if (unspoken !== undefined)
    found.push(finding("unspoken", "info", line, { character: unspoken }));
  const missing =
    undrawable.size === 0 ? undefined : [...text].find((character) => undrawable.has(character));
  if (missing !== undefined) found.push(finding("glyph", "error", line, { character: missing }));
  return found;
}

const hasOddSpaces = (text: string): boolean =>
  text.split("\n").some((row) => /^[ \t]|[ \t]$/u.test(row)) ||
  DOUBLED.test(text) ||
  BEFORE_STOP.test(text);

/** The first tag without a counterpart. */
function unclosed(text: string): string | undefined {
  if (!/[<{]/.test(text)) return undefined;
  const counts = new Map<string, number>();
  for (const [, closing, name = ""] of text.matchAll(SIMPLE_TAG)) {
    const key = name.toLowerCase();
    counts.set(key, (counts.get(key) ?? 0) + (closing === "" ? 1 : -1));
  }
  for (const name of PAIRED) {
    const count = counts.get(name) ?? 0;
    if (count !== 0) return count > 0 ? `<${name}>` : `</${name}>`;
  }
  return OPEN_CODE.test(text) ? "{\\" : undefined;
}

function rows(line: Line, about: Circumstances): Finding[] {
  const found: Finding[] = [];
  const all = line.text.split("\n");
  const { limits } = about;
  const dashes = all.map(dashOf);
  const first = dashes.find((dash) => dash !== undefined);
  const isDialogue = all.length > 1 && first !== undefined;
  if (all.length > 1 && !isDialogue) {
    for (const [index, upper] of all.slice(0, -1).entries()) {
      const last = wordUnits(upper).at(-1);
      const next = wordUnits(all[index + 1] ?? "")[0];
      if (last !== undefined && next !== undefined && leans(last, next, about)) {
        found.push(finding("row_break", "info", line, { word: last }));
        break;
      }
    }
  }
  for (const [index, upper] of all.slice(0, -1).entries()) {
    const signs = forbiddenBreak(upper, all[index + 1] ?? "");
    if (signs === undefined) continue;
    found.push(finding("forbidden_break", "warning", line, signs));
    break;
  }
  if (isDialogue) {
    const wanted = limits.dash == null ? first : DASHES[limits.dash];
    if (dashes.some((dash) => dash !== undefined && dash !== wanted))
      found.push(finding("dash", "warning", line, { mark: wanted.trim() }));
  }
  if (limits.label != null) {
    const odd = all
      .map(labelOf)
      .find((label) => label !== undefined && label.style !== limits.label);
    if (odd !== undefined) found.push(finding("label", "warning", line, { label: odd.shown }));
  }
  return found;
}

/** Whether a word belongs to the one after it, as `Break.LEANING` of `break_points.py`. */
function leans(word: string, next: string, { code, leaning }: Circumstances): boolean {
  if (ROW_SENTENCE_END.test(word) || ROW_CLAUSE_END.test(word)) return false;
  if (leaning.has(sameWord(word))) return true;
  if (code === "") return false;
  const isName = CAPITAL.test(word) && CAPITAL.test(next) && code !== "de";
  return isName || (/^\p{Nd}+$/u.test(word) && /^\p{Ll}/u.test(next));
}

function numbers(line: Line, { limits, code }: Circumstances): Finding[] {
  if (!limits.numbers || !NUMBER_LANGUAGES.has(code)) return [];
  const all = words(line.text);
  for (const [index, word] of all.entries()) {
    const digits = NUMBER.exec(word)?.[1];
    if (digits === undefined) continue;
    const before = all[index - 1] ?? "";
    const begins = index > 0 && SENTENCE_END.test(before);
    const isName = /^\p{Lu}/u.test(before) && index > 1;
    const isSmall = Number(digits) >= 1 && Number(digits) <= 10 && !digits.startsWith("0");
    if (begins || (isSmall && !isName && !UNIT.test(all[index + 1] ?? "")))
      return [finding("number", "info", line, { number: digits })];
  }
  return [];
}
