import type { Editing } from "../../editor/editing";
import { limitOf } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/library";
import { characters } from "../../../domain/captions/model/text";
import { replaced } from "./matcher";
import { findNext } from "./findNext";
import { searchOf } from "./Search";

/** Replace the current match and go to the next one. Goes to the first match if there is no current one. */
export function replaceCurrent(editing: Editing): void {
  const search = searchOf(editing);
  const { current, replacement, terms } = search.get();
  const line = editing.store.get().captions.lines.find(({ id }) => id === current?.line);
  const match = line && search.ofLine(line).find(({ start }) => start === current?.start);
  if (line === undefined || match === undefined) {
    findNext(editing, 1);
    return;
  }
  const content = replaced(line.text, [match], replacement, terms.isPattern);
  editing.store.run({ action: "Edit", line: line.id, content });
  // Behind the replacement: it may hold what is searched for.
  const end = match.start + content.length - line.text.length + (match.end - match.start);
  search.set({ current: { ...match, line: line.id, start: end - 1, end } });
  findNext(editing, 1);
}

/** Replace every match in the searched lines as one step. Returns how many, or a sentence that says why not. */
export function replaceAll(editing: Editing): number | string {
  const search = searchOf(editing);
  const { replacement, terms } = search.get();
  let count = 0;
  const changes = search.linesIn(editing.store.get().captions.lines).flatMap((line) => {
    if (line.locked) return [];
    const matches = search.ofLine(line);
    const content = replaced(line.text, matches, replacement, terms.isPattern);
    if (matches.length === 0 || content === line.text) return [];
    count += matches.length;
    return [{ line: line.id, content }];
  });
  if (changes.length === 0) return 0;
  const limit = limitOf("count_limits", "changed_lines");
  if (changes.length > limit) return t("find.tooMany", { limit });
  const longest = limitOf("text_limits", "caption_line");
  if (changes.some(({ content }) => characters(content) > longest)) return t("find.tooLong");
  const label = t("find.step", {
    query: terms.query.slice(0, 60),
    replacement: replacement.slice(0, 60),
  });
  return editing.change(label, { changes }) === undefined ? 0 : count;
}
