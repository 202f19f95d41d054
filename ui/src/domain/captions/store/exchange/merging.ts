/** Texts that wait to be saved, joined with what somebody else made of the same lines in the meantime. */
import type { Command, EditCommand } from "../../model/commands";
import { newId } from "../../model/commands";
import { mergeTexts } from "../../model/merge";
import type { Entry } from "./Optimistic";

const isText = (command: Command): command is EditCommand & { content: string } =>
  command.action === "Edit" && command.content !== undefined;

/**
 * Rewrite the queued texts of lines that changed, where both changes fit. Returns the lines that are settled so.
 *
 * `known` are the texts that the queue was written on, `now` the present ones, by line. A line that a queued command
 * splits, merges or deletes is left to the person, and so is one in which both changed the same words.
 */
export function merge(
  queue: Entry[],
  known: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): Set<string> {
  const settled = new Set<string>();
  const changed = [...known].filter(([id, text]) => now.has(id) && now.get(id) !== text);
  for (const [id, text] of changed) {
    const touching = queue.filter(({ touched }) => touched.includes(id));
    if (touching.length === 0 || !touching.every(({ command }) => command.action === "Edit"))
      continue;
    const texts = joined(touching, text, now.get(id) ?? "");
    if (texts === undefined) continue;
    for (const [entry, content] of texts) {
      if (!isText(entry.command) || entry.command.content === content) continue;
      // Under its old id the server would take the new text for a repeat of the old one.
      entry.command = { ...entry.command, id: newId(), content };
      entry.sent = entry.unanswered = false;
    }
    settled.add(id);
  }
  return settled;
}

/** The new text of each command, or undefined if one clashes. */
function joined(entries: Entry[], base: string, theirs: string): Map<Entry, string> | undefined {
  const texts = new Map<Entry, string>();
  let [before, present] = [base, theirs];
  for (const entry of entries) {
    if (!isText(entry.command)) continue;
    const mine = entry.command.content;
    const both = mergeTexts(before, mine, present);
    if (both === undefined) return undefined;
    texts.set(entry, both);
    [before, present] = [mine, both];
  }
  return texts;
}
