import { usePublicConfig } from "../../platform/api/publicConfig";
import type { Schemas } from "../../platform/api/client";
import { t } from "../../platform/messages/files";
import { byName, nameOfLanguage, useLanguageNames } from "../../platform/i18n/languageNames";
import { locale } from "../../platform/i18n/locale";

export type Language = Schemas["LanguageOut"];

/** The code that makes the server detect the language. */
export const AUTO = "auto";

export interface Item {
  value: string;
  label: string;
  disabled?: boolean;
}

export interface Group {
  group: string;
  items: Item[];
}

/** The options of a language box: supported languages first, then the rest, disabled and grouped by reason. */
export function optionsOf(languages: readonly Language[]): (Item | Group)[] {
  // "Icelandic" is in both lists of the server, under two codes that mean the same to a model.
  const seen = new Set<string>();
  const unique = languages.filter(({ label }) => !seen.has(label) && seen.add(label));
  const item = (language: Language): Item => ({
    value: language.value,
    label: languageName(language.value, language.label),
    disabled: !language.available,
  });
  const working = unique.filter(({ available }) => available);
  const detection = working.filter(({ value }) => value === AUTO).map(item);
  const named = working.filter(({ value }) => value !== AUTO);
  const reasons = new Map<string, Item[]>();
  for (const language of unique) {
    if (language.available) continue;
    const reason = language.reason ?? t("notAvailable");
    reasons.set(reason, [...(reasons.get(reason) ?? []), item(language)]);
  }
  const groups: Group[] = [
    {
      group: t("regional"),
      items: byName(named.filter(({ country }) => country !== null).map(item)),
    },
    {
      group: t("allLanguages"),
      items: byName(named.filter(({ country }) => country === null).map(item)),
    },
    ...[...reasons].map(([group, items]) => ({ group, items: byName(items) })),
  ];
  return [...detection, ...groups.filter(({ items }) => items.length > 0)];
}

/** Supported languages, most likely first: detection, the default, and those of the browser. */
export function suggestionsOf(
  languages: readonly Language[],
  defaultLanguage: string,
  spoken: readonly string[],
): string[] {
  const working = new Set(languages.filter(({ available }) => available).map(({ value }) => value));
  const likely = [AUTO, defaultLanguage, ...spoken].filter((code) => working.has(code));
  // "English" beside "English (US)" would be the same choice twice.
  const regional = (code: string) => likely.some((other) => other.startsWith(`${code}-`));
  return [...new Set(likely.filter((code) => !regional(code)))];
}

/** The name of a language code, including codes that only detection returns. */
export function labelOf(languages: readonly Language[], code: string): string {
  const known = languages.find(({ value }) => value === code);
  return known === undefined
    ? (nameOfLanguage(code) ?? t("unknown"))
    : languageName(known.value, known.label);
}

/**
 * The name of a language in the language of the page. The server names it in English (`label`), with the country only
 * where its lists have the language several times.
 */
export function languageName(code: string, label: string): string {
  if (locale === "en") return label;
  if (code === AUTO) return t("detectLanguage");
  return nameOfLanguage(label.includes("(") ? code : code.replace(/-.*/, "")) ?? label;
}

export interface Languages {
  options: (Item | Group)[];
  suggestions: string[];
  label: (code: string) => string;
  isAvailable: (code: string) => boolean;
}

/** The server's languages, and which of them the loaded model supports. */
export function useLanguages(): Languages {
  const config = usePublicConfig();
  useLanguageNames();
  const languages = config?.languages ?? [];
  return {
    options: optionsOf(languages),
    suggestions: suggestionsOf(languages, config?.default_language ?? "", navigator.languages),
    label: (code) => labelOf(languages, code),
    isAvailable: (code) => languages.some(({ value, available }) => value === code && available),
  };
}
