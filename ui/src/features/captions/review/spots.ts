/** Spots of captions that deserve a second look, grouped by word and ranked by how much one decision settles. */
import type { Line } from "../../../domain/captions/types";
import type { Fix, Rule } from "../../../domain/captions/quality/types";
import { stretches } from "../../../domain/captions/marks";
import { wordsOf } from "../spelling/words";
import { otherSpellings } from "./names";

export type SpotKind = "name" | "finding" | "stale" | "unknown" | "doubtful";

export interface Spot {
  line: string;
  kind: SpotKind;
  /** The word in question; for findings and stale lines what is wrong. */
  word: string;
  start: number;
  end: number;
  /** Names the spot at the server: its kind, its word and the words around it. */
  key: string;
  /** What the quality rules found; null for other kinds. */
  finding: LineFinding | null;
}

export interface SpotGroup {
  id: string;
  kind: SpotKind;
  word: string;
  /** For names: the other, more frequent spelling. */
  instead: string | null;
  spots: Spot[];
}

/** A problem of a line that the quality rules found. */
export interface LineFinding {
  line: string;
  rule: Rule;
  /** What the rule is called, and what this line breaks of it. */
  title: string;
  sentence: string;
  fix: Fix | null;
  /** Why the fix is safe; empty without one. */
  reason: string;
}

export interface Sources {
  lines: readonly Line[];
  /** Words recognized with less confidence are doubtful, from 0 to 1. */
  threshold: number;
  isWrong: (word: string) => boolean;
  /** Words that are right, because the glossary or a person says so. */
  isKnown: (word: string) => boolean;
  findings: readonly LineFinding[];
  /** Spots that somebody found right, as `line|key`. */
  kept: ReadonlySet<string>;
}

/** How much a decision on one spot of a kind is worth: a wrong name is worse than a word that may be right. */
const WORTH: Record<SpotKind, number> = { name: 4, finding: 3, stale: 3, unknown: 2, doubtful: 1 };

/** The open spots in groups of equal words or of one rule, the most useful first. */
export function openGroups(sources: Sources): SpotGroup[] {
  const groups = new Map<string, SpotGroup>();
  for (const { spot, instead } of allSpots(sources)) {
    if (sources.kept.has(`${spot.line}|${spot.key}`)) continue;
    const word = spot.finding?.title ?? spot.word;
    const id = `${spot.kind}|${word.toLowerCase()}`;
    const group = groups.get(id) ?? { id, kind: spot.kind, word, instead, spots: [] };
    group.spots.push(spot);
    groups.set(id, group);
  }
  const effect = ({ kind, spots }: SpotGroup): number => WORTH[kind] * spots.length;
  return [...groups.values()].sort((a, b) => effect(b) - effect(a) || a.word.localeCompare(b.word));
}

function* allSpots(sources: Sources): Generator<{ spot: Spot; instead: string | null }> {
  const { lines, findings } = sources;
  const spellings = new Map(otherSpellings(lines).map(({ word, instead }) => [word, instead]));
  const ofLine = new Map<string, LineFinding[]>();
  for (const finding of findings) {
    ofLine.set(finding.line, [...(ofLine.get(finding.line) ?? []), finding]);
  }
  for (const line of lines) {
    for (const spot of wordSpots(line, spellings, sources)) {
      yield { spot, instead: spot.kind === "name" ? (spellings.get(spot.word) ?? null) : null };
    }
    const { id, text } = line;
    const whole = { line: id, start: 0, end: text.length, finding: null };
    for (const finding of ofLine.get(id) ?? []) {
      const key = keyOf("finding", finding.rule, text);
      const spot: Spot = { ...whole, kind: "finding", word: finding.sentence, key, finding };
      yield { spot, instead: null };
    }
    if (line.source?.stale === true) {
      const key = keyOf("stale", "", `${line.source.now}\n${text}`);
      yield { spot: { ...whole, kind: "stale", word: line.source.now, key }, instead: null };
    }
  }
}

/**
 * The words of a line that are in question, each for its weightiest reason. Of the words that a person wrote or imported,
 * only names that are spelled another way elsewhere are: either spelling may be the wrong one.
 */
function wordSpots(line: Line, spellings: ReadonlyMap<string, string>, sources: Sources): Spot[] {
  const { threshold, isWrong, isKnown } = sources;
  const parts = stretches(line);
  let at = 0;
  const words = (parts ?? []).map((part) => {
    const start = at;
    at += part.text.length;
    return { start, end: at, word: part.word === undefined ? undefined : line.words[part.word] };
  });
  const found: Spot[] = [];
  const all = wordsOf(line.text);
  for (const [index, { word, start, end }] of all.entries()) {
    const heard = words.find((one) => one.start <= start && end <= one.end)?.word;
    if (isKnown(word)) continue;
    const isTyped = heard?.origin === "human";
    const confidence = heard?.origin === "asr" ? heard.confidence : null;
    const kind: SpotKind | undefined = spellings.has(word)
      ? "name"
      : isWrong(word) && !isTyped
        ? "unknown"
        : confidence !== null && confidence < threshold
          ? "doubtful"
          : undefined;
    if (kind === undefined) continue;
    const around = [all[index - 1]?.word, word, all[index + 1]?.word].join(" ");
    const key = keyOf(kind, word, around);
    found.push({ line: line.id, kind, word, start, end, key, finding: null });
  }
  return found;
}

const keyOf = (kind: SpotKind, what: string, around: string): string =>
  `${kind}|${what.slice(0, 100)}|${hash(around)}`;

/** FNV-1a, 32 bits: short, and equal in every browser. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  return value.toString(36);
}
