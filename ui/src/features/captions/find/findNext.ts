import type { Editing } from "../../editor/editing";
import { searchOf, type Found } from "./Search";

/** Go to the next or previous match, around the ends. False if there is none. */
export function findNext(editing: Editing, direction: 1 | -1): boolean {
  const search = searchOf(editing);
  const { lines } = editing.store.get().captions;
  const all = search.in(lines);
  const target = beside(all, lineOrder(lines), placeOf(editing), direction);
  if (target === undefined) return false;
  search.set({ current: target });
  editing.select(target.line);
  const line = lines.find(({ id }) => id === target.line);
  if (line !== undefined && !editing.playback.playing) editing.playback.seek(line.start_ms);
  return true;
}

interface Place {
  line: string;
  start: number;
}

function placeOf(editing: Editing): Place | null {
  const { current } = searchOf(editing).get();
  const { selected } = editing.getFocus();
  if (current !== null && (selected === null || selected === current.line)) return current;
  return selected === null ? null : { line: selected, start: -1 };
}

const lineOrder = (lines: readonly { id: string }[]): Map<string, number> =>
  new Map(lines.map(({ id }, index) => [id, index]));

/** The match after or before a place; the list is in order. */
export function beside(
  all: readonly Found[],
  order: ReadonlyMap<string, number>,
  place: Place | null,
  direction: 1 | -1,
): Found | undefined {
  if (place === null) return direction === 1 ? all[0] : all.at(-1);
  const at = order.get(place.line) ?? -1;
  const side = (found: Found): number =>
    (order.get(found.line) ?? -1) - at || found.start - place.start;
  if (direction === 1) return all.find((found) => side(found) > 0) ?? all[0];
  return all.filter((found) => side(found) < 0).at(-1) ?? all.at(-1);
}
