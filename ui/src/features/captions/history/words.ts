import { t } from "../../../platform/i18n/en/together";
import { dateFormat } from "../../../platform/i18n/dates";
import type { Version } from "./data";

const ACTIONS: Record<string, () => string> = {
  Add: () => t("actionAdd"),
  Delete: () => t("actionDelete"),
  Edit: () => t("actionEdit"),
  Extend: () => t("actionExtend"),
  Follow: () => t("actionFollow"),
  Import: () => t("actionImport"),
  Merge: () => t("actionMerge"),
  Redo: () => t("actionRedo"),
  Rerun: () => t("actionRerun"),
  Restore: () => t("actionRestore"),
  Shift: () => t("actionShift"),
  Speakers: () => t("actionSpeakers"),
  Split: () => t("actionSplit"),
  Transcribe: () => t("actionTranscribe"),
  Translate: () => t("actionTranslate"),
  Undo: () => t("actionUndo"),
};

const actionWords = (action: string): string => ACTIONS[action]?.() ?? t("actionOther");

/** What happened, in words. A change of many lines has words of its own. */
export function titleOf(version: Version, undone?: Version): string {
  const { action, label, number, name, is_automatic } = version;
  if (undone !== undefined && action === "Undo") return t("undidWhat", { what: titleOf(undone) });
  if (undone !== undefined && action === "Redo") return t("redidWhat", { what: titleOf(undone) });
  if (action === null) {
    if (number === 0 && name === null) return t("start");
    return is_automatic ? beforeWords(name ?? "") : (name ?? "");
  }
  return action !== "Restore" && label !== null ? label : actionWords(action);
}

/** The name of a snapshot; an automatic one is called after the change that it came before. */
export const nameOf = ({ name, is_automatic }: Version): string | null =>
  name === null ? null : is_automatic ? beforeWords(name) : name;

const beforeWords = (name: string): string => t("before", { what: ACTIONS[name]?.() ?? name });

export const whenOf = dateFormat({ dateStyle: "medium", timeStyle: "short" });
