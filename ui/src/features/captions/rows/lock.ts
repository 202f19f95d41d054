import { t } from "../../../platform/messages/editing";
import type { Editing } from "../../editor/editing";

/** Lock the line named, else those that are selected; or unlock them if all are locked. */
export function toggleLock(editing: Editing, id?: string): void {
  const named = editing.find(id);
  const meant = named === undefined ? editing.selection() : [named];
  const locked = !meant.every((line) => line.locked);
  const changes = meant
    .filter((line) => line.locked !== locked)
    .map((line) => ({ line: line.id, locked }));
  const label = t(locked ? "timing.lockLines" : "timing.unlockLines", { count: changes.length });
  if (changes.length > 0) editing.change(label, { changes });
}
