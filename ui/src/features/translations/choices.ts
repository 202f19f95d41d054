/** Which languages a person can choose in the dialog, in which order, and which one is likely. */
import { t } from "../../i18n/en/translations";
import type { Group } from "../files/languages";
import type { TargetLanguage, Translation } from "./types";

const baseOf = (code: string): string => code.split("-")[0]?.toLowerCase() ?? "";

/** Groups of a language box: languages that work first, then those that exist, then others by their reason. */
export function choicesOf(
  targets: readonly TargetLanguage[],
  translations: readonly Pick<Translation, "language">[],
): Group[] {
  const existing = new Set(translations.map(({ language }) => language));
  const working: Group = { group: t("available"), items: [] };
  const done: Group = { group: t("alreadyTranslated"), items: [] };
  const reasons = new Map<string, Group>();
  // One language is in both lists of the server, under two codes that mean the same to a model.
  const seen = new Set<string>();
  for (const { value, label, available, reason } of targets) {
    if (seen.has(label)) continue;
    seen.add(label);
    if (existing.has(value)) done.items.push({ value, label, disabled: true });
    else if (available) working.items.push({ value, label });
    else {
      const group = reason ?? t("notAvailable");
      const named = reasons.get(group) ?? { group, items: [] };
      named.items.push({ value, label, disabled: true });
      reasons.set(group, named);
    }
  }
  return [working, done, ...reasons.values()].filter(({ items }) => items.length > 0);
}

const MOST = 4;

/**
 * Languages that are one click away: those of the browser, then English, then the rest while there are only a few.
 * Never another form of the language `from`: few people want English (UK) of English (US).
 */
export function suggestionsOf(
  groups: readonly Group[],
  spoken: readonly string[],
  from: string,
): string[] {
  const working = groups
    .filter(({ group }) => group === "Available")
    .flatMap(({ items }) => items.map(({ value }) => value))
    .filter((value) => baseOf(value) !== baseOf(from));
  const find = (code: string) =>
    working.find((value) => value === code) ??
    working.find((value) => baseOf(value) === baseOf(code));
  const likely = [...spoken, "en"].flatMap((code) => find(code) ?? []);
  const few = working.length <= MOST ? working : [];
  return [...new Set([...likely, ...few])].slice(0, MOST);
}
