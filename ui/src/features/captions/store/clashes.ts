/** Commands that depend on a line somebody else changed, or on a refused command, and the question that is left. */
import { cleanText } from "../model/text";
import type { Line } from "../types";
import type { Entry } from "./Optimistic";
import type { Conflict } from "./state";

/** Commands that depend on each other, and the lines they touch. */
export interface Family {
  ids: Set<string>;
  entries: Entry[];
}

/** The families of commands for which `begins` holds, each with all later commands that touch its lines. */
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

/** Whether dropping the command would lose text that the person wrote. */
const writes = ({ command }: Entry): boolean =>
  (command.action === "Edit" && command.content !== undefined) ||
  (command.action === "Add" && command.content !== "");

/**
 * The question for a family that cannot be saved; undefined if no written text would be lost.
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
  const first = mine[0] ?? theirs[0];
  return {
    cause,
    ids: theirs.map((line) => line.id),
    mine: text,
    theirs: other,
    message,
    start_ms: first?.start_ms ?? 0,
    end_ms: mine.at(-1)?.end_ms ?? first?.end_ms ?? 0,
  };
}
