/** Commands that depend on a line somebody else changed, or on a refused command, and the question that is left. */
import { cleanText } from "../../model/text";
import type { Line } from "../../types";
import { writtenIn, type Written } from "../../unsavedText";
import type { Span } from "./journal";
import type { Entry } from "./Optimistic";
import type { Conflict } from "../state";

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
 * `shown` are the lines as the person sees them, `now` the lines as the server has them, and `spans` where lines stood
 * that may be in neither, as after another transcription.
 */
export function conflictOf(
  { ids, entries }: Family,
  { shown, now, spans }: { shown: Line[]; now: Line[]; spans: ReadonlyMap<string, Span> },
  { cause, message }: Pick<Conflict, "cause" | "message">,
): Conflict | undefined {
  if (!entries.some(writes)) return undefined;
  const mine = shown.filter((line) => ids.has(line.id));
  const theirs = now.filter((line) => ids.has(line.id));
  const unseen = unseenIn(entries, mine);
  const text = [...mine, ...unseen].map((one) => one.text).join(" ");
  const other = theirs.length === 0 ? null : theirs.map((line) => line.text).join(" ");
  if (cleanText(text) === "" || text === other) return undefined;
  const first = mine[0] ?? theirs[0];
  const places = unseen.flatMap(({ line }) => spans.get(line) ?? []);
  const [start_ms, end_ms] =
    first !== undefined
      ? [first.start_ms, mine.at(-1)?.end_ms ?? first.end_ms]
      : [Math.min(...places), Math.max(...places)].map((ms) => (Number.isFinite(ms) ? ms : 0));
  return {
    cause,
    ids: theirs.map((line) => line.id),
    mine: text,
    theirs: other,
    message,
    start_ms: start_ms ?? 0,
    end_ms: end_ms ?? 0,
  };
}

/** The question about one refused text whose line somebody changed, or deleted if `theirs` is null. */
export const questionOf = (
  id: string,
  {
    raw,
    theirs,
    span: [start_ms, end_ms] = [0, 0],
    message,
  }: { raw: string; theirs: string | null; span: Span | undefined; message: string },
): Conflict => ({
  cause: "changed",
  ids: theirs === null ? [] : [id],
  mine: raw,
  theirs,
  message,
  start_ms,
  end_ms,
});

/** What was written into lines that are not shown, because the server has them no longer. */
function unseenIn(entries: readonly Entry[], shown: readonly Line[]): Written[] {
  const there = new Set(shown.map(({ id }) => id));
  const settled = new Set<string>(there);
  for (const { command } of entries) {
    if (command.action === "Delete") settled.add(command.line);
    else if (command.action === "Change") command.removed?.forEach((id) => settled.add(id));
    else if (command.action === "Merge" && (there.has(command.line) || there.has(command.with))) {
      settled.add(command.line);
      settled.add(command.with);
    }
  }
  const commands = entries.map(({ command }) => command);
  return writtenIn(commands, shown).filter(({ line }) => !settled.has(line));
}
