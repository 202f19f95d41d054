/** Changes that closed pages left and that cannot be sent, because their captions do not open any more. */
import { keys } from "../../platform/api/keys";
import { rememberedAccount } from "../../platform/offline/account";
import { beginningWith, database, onKeepingFailure, type JournalKey, journalAt } from "./database";
import { isClosed } from "../../platform/offline/pageLock";
import { writtenIn, type Written } from "../captions/unsavedText";

export interface LeftChanges {
  at: JournalKey;
  /** How many changes wait. */
  count: number;
  written: Written[];
}

/**
 * What closed pages left of the captions of a file in a language, or in all of them. Until the signal no other page
 * takes it over.
 */
export async function leftChanges(
  slug: string,
  language: string | undefined,
  signal: AbortSignal,
): Promise<LeftChanges[]> {
  const account = rememberedAccount();
  const held = account === "" ? undefined : await database();
  if (held === undefined) return [];
  const original = keys.captions(slug);
  const isMeant = (track: string) =>
    language === undefined
      ? track === original || track.startsWith(keys.translatedCaptions(slug))
      : track === keys.captions(slug, language);
  const left: LeftChanges[] = [];
  try {
    for (const at of await held.getAllKeys("journals", beginningWith(account))) {
      if (!isMeant(at[1]) || !(await isClosed(at[2], signal))) continue;
      const journalled = await journalAt(held, at);
      if (journalled === undefined) continue;
      const { queue, conflicts, refused, spans = {} } = journalled;
      const written = writtenIn(
        queue.map(({ command }) => command),
        Object.entries(spans).map(([id, [start_ms]]) => ({ id, start_ms })),
      );
      const others = [
        ...conflicts.map(({ ids, start_ms, mine }) => ({
          line: ids[0] ?? "",
          start_ms,
          text: mine,
        })),
        ...refused.map(([line, { raw }]) => ({ line, start_ms: spans[line]?.[0], text: raw })),
      ];
      const count = queue.length + others.length;
      left.push({ at, count, written: [...written, ...others] });
    }
  } catch (error) {
    onKeepingFailure(error);
  }
  return left;
}

/** Delete them: the person has chosen so. */
export async function discardChanges(left: readonly LeftChanges[]): Promise<void> {
  const held = await database();
  if (held === undefined) return;
  try {
    const tx = held.transaction(["journals", "commands"], "readwrite");
    for (const { at } of left) {
      void tx.objectStore("journals").delete(at);
      void tx.objectStore("commands").delete(beginningWith(...at));
    }
    await tx.done;
  } catch (error) {
    onKeepingFailure(error);
  }
}
