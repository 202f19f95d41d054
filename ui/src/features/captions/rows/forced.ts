import { t } from "../../../platform/messages/editing";
import type { Editing } from "../../editor/editing";

/** Have the line named, else those that are selected, shown without subtitles too; or no longer if all of them are. */
export function toggleForced(editing: Editing, id?: string): void {
  const named = editing.find(id);
  const meant = named === undefined ? editing.selection() : [named];
  const forced = !meant.every((line) => line.forced);
  const changes = meant
    .filter((line) => line.forced !== forced)
    .map((line) => ({ line: line.id, forced }));
  if (changes.length > 0) editing.change(t("timing.forced"), { changes });
}
