import { t } from "../../../platform/messages/glossary";
import { toast } from "../../../platform/notices/toast";
import type { Editing } from "../../editor/editing";

/** Open the menu of the first term that the selected line misses. */
export function openTerm(editing: Editing): void {
  const id = editing.chosen()?.id ?? "";
  const row = document.querySelector(`[data-line="${CSS.escape(id)}"]`);
  const button = row?.querySelector<HTMLButtonElement>("button[data-term]");
  if (button == null) toast("info", t("terms.noneMissing"));
  else button.click();
}
