import { findNext } from "../../find/findNext";
import { goToFinding } from "../../quality/goToFinding";
import { suggestAtCaret } from "../../spelling/WordMenus";
import { t } from "../../../../platform/messages/glossary";
import { toast } from "../../../../platform/notices/toast";
import type { Editing } from "../../../editor/editing";
import { PANELS } from "../../panels/registry";
import type { PanelCommand, ToolCommand } from "../../../editor/keys/keymap";
import type { CommandContext, Handlers } from "./context";

export function toolCommands({
  editing,
  panels,
  onAiText,
  onZoom,
}: CommandContext): Handlers<ToolCommand> {
  const opens = {} as Handlers<PanelCommand>;
  for (const { id } of PANELS) opens[`panel.${id}`] = () => panels.open(id, selectedText());
  return {
    ...opens,
    replace: () => panels.open("find", { ...selectedText(), into: "replacement" }),
    nextFinding: () => void (goToFinding(editing, 1) || panels.open("quality")),
    previousFinding: () => void (goToFinding(editing, -1) || panels.open("quality")),
    findNext: () => void (findNext(editing, 1) || panels.open("find")),
    findPrevious: () => void (findNext(editing, -1) || panels.open("find")),
    nextReview: () => panels.open("review", { go: "next" }),
    suggest: () => suggestAtCaret(),
    term: () => openTerm(editing),
    aiText: onAiText,
    zoomIn: () => onZoom(1),
    zoomOut: () => onZoom(-1),
  };
}

/** The text marked in a line, which is what somebody opens the search for. */
function selectedText(): Record<string, string> {
  const box = document.activeElement;
  if (!(box instanceof HTMLTextAreaElement) || box.closest("[data-line]") === null) return {};
  const text = box.value.slice(box.selectionStart, box.selectionEnd);
  return text === "" || text.includes("\n") ? {} : { text };
}

/** Open the menu of the first term that the selected line misses. */
function openTerm(editing: Editing): void {
  const id = editing.chosen()?.id ?? "";
  const row = document.querySelector(`[data-line="${CSS.escape(id)}"]`);
  const button = row?.querySelector<HTMLButtonElement>("button[data-term]");
  if (button == null) toast("info", t("terms.noneMissing"));
  else button.click();
}
