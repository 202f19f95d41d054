/** The flags of lines: locked against changes, and forced, which people without subtitles see too. */
import { t } from "../../../platform/messages/editing";
import type { Editing } from "../../editor/editing";

/** Set a flag of the line named, else of those that are selected; or take it away if all of them have it. */
function toggle(
  editing: Editing,
  flag: "locked" | "forced",
  id: string | undefined,
  label: (isOn: boolean, count: number) => string,
): void {
  const named = editing.find(id);
  const meant = named === undefined ? editing.selection() : [named];
  const isOn = !meant.every((line) => line[flag]);
  const changes = meant
    .filter((line) => line[flag] !== isOn)
    .map((line) => ({ line: line.id, [flag]: isOn }));
  if (changes.length > 0) editing.change(label(isOn, changes.length), { changes });
}

export const toggleLock = (editing: Editing, id?: string): void =>
  toggle(editing, "locked", id, (isOn, count) =>
    t(isOn ? "timing.lockLines" : "timing.unlockLines", { count }),
  );

export const toggleForced = (editing: Editing, id?: string): void =>
  toggle(editing, "forced", id, () => t("timing.forced"));
