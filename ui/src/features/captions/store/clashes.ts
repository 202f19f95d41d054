/** Commands that rest on lines which somebody else changed, or on a command that was refused, and what is left to ask. */
import { cleanText } from "../model/text";
import type { Line } from "../types";
import type { Entry } from "./Optimistic";
import type { Conflict } from "./state";

/** Commands that build on each other, and the lines they touch. */
export interface Family {
  ids: Set<string>;
  entries: Entry[];
}

/** The families of all commands for which `begins` holds; each later command that touches their lines belongs to them. */
export function families(queue: Entry[], begins: (entry: Entry) => boolean): Family[] {
  let found: Family[] = [];
  for (const entry of queue) {
    const related = found.filter(({ ids }) => entry.touched.some((id) => ids.has(id)));
    if (related.length === 0 && !begins(entry)) continue;
    const joined: Family = {
      ids: new Set([...related.flatMap(({ ids }) => [...ids]), ...entry.touched]),
      entries: [...related.flatMap(({ entries }) => entries), entry],
    };
    found = [...found.filter((family) => !related.includes(family)), joined];
  }
  return found;
}

/** Whether the person wrote something that dropping the commands would lose. */
const writes = ({ command }: Entry): boolean =>
  (command.action === "Edit" && command.content !== undefined) ||
  (command.action === "Add" && command.content !== "");

/**
 * What to ask the person when a family cannot be saved; undefined when nothing they wrote would be lost.
 *
 * `shown` are the lines as the person sees them, `now` the lines as the server has them.
 */
export function conflictOf(
  { ids, entries }: Family,
  shown: Line[],
  now: Line[],
  { cause, message }: Pick<Conflict, "cause" | "message">,
): Conflict | undefined {
  if (!entries.some(writes)) return undefined;
  const mine = shown.filter((line) => ids.has(line.id));
  const theirs = now.filter((line) => ids.has(line.id));
  const text = mine.map((line) => line.text).join(" ");
  const other = theirs.length === 0 ? null : theirs.map((line) => line.text).join(" ");
  if (cleanText(text) === "" || text === other) return undefined;
  const place = mine[0] ?? theirs[0];
  return {
    cause,
    ids: theirs.map((line) => line.id),
    mine: text,
    theirs: other,
    message,
    start_ms: place?.start_ms ?? 0,
    end_ms: mine.at(-1)?.end_ms ?? place?.end_ms ?? 0,
  };
}
