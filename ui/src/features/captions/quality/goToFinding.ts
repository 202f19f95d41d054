import type { Editing } from "../../editor/editing";
import { typingIn } from "../../editor/focus";
import { qualityOf } from "../../editor/Quality";
import type { Finding } from "../../../domain/captions/quality/types";

/** Go to a finding's line: into its text while typing, otherwise to the line and its time. */
export function goToLineOf(editing: Editing, { lines: [id] }: Finding): void {
  const line = editing.store.get().captions.lines.find((one) => one.id === id);
  if (line === undefined) return;
  if (typingIn() === undefined) editing.goTo(line.id);
  else editing.goInto(line.id);
  editing.playback.seek(line.start_ms);
}

/** Go to the next or previous line with a finding, from the selected line on. False if there is none. */
export function goToFinding(editing: Editing, direction: 1 | -1): boolean {
  const quality = qualityOf(editing.store);
  quality.look();
  const { lines } = editing.store.get().captions;
  const marked = quality.get().lines;
  const from = lines.findIndex(({ id }) => id === editing.getFocus().selected);
  for (let step = 1; step <= lines.length; step += 1) {
    const start = from < 0 && direction < 0 ? 0 : from;
    const line = lines[(start + direction * step + 2 * lines.length) % lines.length];
    if (line === undefined || !marked.has(line.id)) continue;
    const found = quality.get().findings.find(({ lines: [id] }) => id === line.id);
    if (found !== undefined) goToLineOf(editing, found);
    return true;
  }
  return false;
}
