import { t } from "../../../platform/messages/editing";
import { dateFormat } from "../../../platform/i18n/dates";
import type { Version } from "./data";

const ACTIONS: Record<string, () => string> = {
  Add: () => t("together.actionAdd"),
  Delete: () => t("together.actionDelete"),
  Edit: () => t("together.actionEdit"),
  Extend: () => t("together.actionExtend"),
  Follow: () => t("together.actionFollow"),
  Import: () => t("together.actionImport"),
  Merge: () => t("together.actionMerge"),
  Redo: () => t("together.actionRedo"),
  Rerun: () => t("together.actionRerun"),
  Restore: () => t("together.actionRestore"),
  Shift: () => t("together.actionShift"),
  Speakers: () => t("together.actionSpeakers"),
  Split: () => t("together.actionSplit"),
  Transcribe: () => t("together.actionTranscribe"),
  Translate: () => t("together.actionTranslate"),
  Undo: () => t("together.actionUndo"),
};

const actionWords = (action: string): string => ACTIONS[action]?.() ?? t("together.actionOther");

/** What happened, in words. A change of many lines has words of its own. */
export function titleOf(version: Version, undone?: Version): string {
  const { action, label, number, name, is_automatic } = version;
  if (undone !== undefined && action === "Undo")
    return t("together.undidWhat", { what: titleOf(undone) });
  if (undone !== undefined && action === "Redo")
    return t("together.redidWhat", { what: titleOf(undone) });
  if (action === null) {
    if (number === 0 && name === null) return t("together.start");
    return is_automatic ? beforeWords(name ?? "") : (name ?? "");
  }
  return action !== "Restore" && label !== null ? label : actionWords(action);
}

/** The name of a snapshot; an automatic one is called after the change that it came before. */
export const nameOf = ({ name, is_automatic }: Version): string | null =>
  name === null ? null : is_automatic ? beforeWords(name) : name;

const beforeWords = (name: string): string =>
  t("together.before", { what: ACTIONS[name]?.() ?? name });

export const whenOf = dateFormat({ dateStyle: "medium", timeStyle: "short" });
