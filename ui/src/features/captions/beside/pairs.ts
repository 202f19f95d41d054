/** Two tracks line by line: each line of a translation beside the lines that it translates. */
import type { Line } from "../../../domain/captions/types";

/** A line of the translation and the source lines shown beside it: those that no earlier line has shown. */
export interface Pair {
  kind: "pair";
  line: Line;
  /** Index in the translation. */
  index: number;
  sources: readonly Line[];
  /** Whether it translates source lines that stand beside an earlier line. */
  continues: boolean;
}

/** A source line without a translation. */
export interface Gap {
  kind: "gap";
  source: Line;
}

export type Item = Pair | Gap;

export interface Pairs {
  items: Item[];
  /** The item of each line of the translation. */
  itemOf: number[];
}

const NO_SOURCES: readonly Line[] = [];

/**
 * Pair two tracks in order of time, in linear time. Items of lines that did not change stay the same objects as in
 * `before`, so that their rows need no new rendering.
 */
export function pairUp(lines: readonly Line[], sources: readonly Line[], before?: Pairs): Pairs {
  const places = new Map(sources.map(({ id }, place) => [id, place]));
  const linked = linkedIds(lines);
  const known = new Map(before?.items.map((item) => [idOf(item), item]));
  const shown = new Set<number>();
  const items: Item[] = [];
  const itemOf: number[] = [];
  let next = 0;
  const addGaps = (until: (source: Line, place: number) => boolean) => {
    for (; next < sources.length; next += 1) {
      const source = sources[next];
      if (source === undefined || until(source, next)) return;
      if (linked.has(source.id)) continue;
      items.push(reused(known.get(source.id), { kind: "gap", source }));
    }
  };
  lines.forEach((line, index) => {
    const own = placesOf(line, places);
    const first = own[0];
    addGaps((source, place) =>
      first === undefined ? source.start_ms >= line.start_ms : place >= first,
    );
    const beside = own.filter((place) => !shown.has(place));
    for (const place of beside) shown.add(place);
    const found = beside.flatMap((place) => sources[place] ?? []);
    const pair: Pair = {
      kind: "pair",
      line,
      index,
      sources: found.length === 0 ? NO_SOURCES : found,
      continues: own.length > 0 && beside.length === 0,
    };
    itemOf.push(items.length);
    items.push(reused(known.get(line.id), pair));
  });
  addGaps(() => false);
  return { items, itemOf };
}

const linkedIds = (lines: readonly Line[]): Set<string> =>
  new Set(lines.flatMap(({ source }) => source?.ids ?? []));

/** Counts the source lines without a translation. It counts again only for other lines: the editor asks at each key. */
export function gapCounter(sources: readonly Line[]): (lines: readonly Line[]) => number {
  let last: readonly Line[] | undefined;
  let count = 0;
  return (lines) => {
    if (lines === last) return count;
    const linked = linkedIds(lines);
    last = lines;
    count = sources.filter(({ id }) => !linked.has(id)).length;
    return count;
  };
}

const idOf = (item: Item): string => (item.kind === "pair" ? item.line.id : item.source.id);

function placesOf({ source }: Line, places: ReadonlyMap<string, number>): number[] {
  const ids = source?.ids ?? [];
  return ids.flatMap((id) => places.get(id) ?? []).sort((a, b) => a - b);
}

function reused(old: Item | undefined, item: Item): Item {
  if (old === undefined) return item;
  if (item.kind === "gap") return old.kind === "gap" && old.source === item.source ? old : item;
  if (old.kind === "gap" || old.line !== item.line || old.continues !== item.continues) return item;
  const alike =
    old.sources.length === item.sources.length &&
    old.sources.every((source, place) => source === item.sources[place]);
  if (!alike) return item;
  return old.index === item.index ? old : { ...item, sources: old.sources };
}
