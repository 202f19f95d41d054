/** Which languages a person can choose in the dialog, in which order, and which one is likely. */
import { t } from "../../platform/messages/processing";
import { byName } from "../../platform/i18n/languageNames";
import { languageName, type Group } from "../../domain/languages/languages";
import type { TargetLanguage, Translation } from "../../domain/translations/types";

/** The group of the languages that work. */
export const AVAILABLE = t("translations.available");
/** The group of the languages that a file has captions in already. */
export const TRANSLATED = t("translations.alreadyTranslated");

const baseOf = (code: string): string => code.split("-")[0]?.toLowerCase() ?? "";

/** Groups of a language box: languages that work first, then those that exist, then others by their reason. */
export function choicesOf(
  targets: readonly TargetLanguage[],
  translations: readonly Pick<Translation, "language">[],
): Group[] {
  const existing = new Set(translations.map(({ language }) => language));
  const working: Group = { group: AVAILABLE, items: [] };
  const done: Group = { group: TRANSLATED, items: [] };
  const reasons = new Map<string, Group>();
  // One language is in both lists of the server, under two codes that mean the same to a model.
  const seen = new Set<string>();
  for (const { value, label: english, available, reason } of targets) {
    if (seen.has(english)) continue;
    seen.add(english);
    const label = languageName(value, english);
    if (existing.has(value)) done.items.push({ value, label, disabled: true });
    else if (available) working.items.push({ value, label });
    else {
      const group = reason ?? t("translations.notAvailable");
      const named = reasons.get(group) ?? { group, items: [] };
      named.items.push({ value, label, disabled: true });
      reasons.set(group, named);
    }
  }
  return [working, done, ...reasons.values()]
    .filter(({ items }) => items.length > 0)
    .map(({ group, items }) => ({ group, items: byName(items) }));
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
    .filter(({ group }) => group === AVAILABLE)
    .flatMap(({ items }) => items.map(({ value }) => value))
    .filter((value) => baseOf(value) !== baseOf(from));
  const find = (code: string) =>
    working.find((value) => value === code) ??
    working.find((value) => baseOf(value) === baseOf(code));
  const likely = [...spoken, "en"].flatMap((code) => find(code) ?? []);
  const few = working.length <= MOST ? working : [];
  return [...new Set([...likely, ...few])].slice(0, MOST);
}
