/** What a folder of catalogues says of itself. */
interface Language {
  /** Its name in itself. */
  name: string;
  /** Whether it has every page; else it has those before sign-in, and an account cannot choose it. */
  isWhole: boolean;
}

const FOLDERS = import.meta.glob<Language>("../messages/*/language.json", {
  eager: true,
  import: "default",
});

/** The languages of the pages: each folder of `platform/messages` is one. */
export const LOCALES = Object.entries(FOLDERS).map(([path, { name, isWhole }]) => ({
  value: path.split("/").at(-2) ?? "",
  label: name,
  isWhole,
}));
export type Locale = string;

/** Those that an account can have. A mail is written in the same one (`User.locale`). */
export const ACCOUNT_LOCALES = LOCALES.filter(({ isWhole }) => isWhole);
export const isAccountLocale = (text: string): boolean =>
  ACCOUNT_LOCALES.some(({ value }) => value === text);

const STORED_UNDER = "sagascript-locale";

/** The language with this tag, if we have it. */
export const localeOf = (text: string | null | undefined): Locale | undefined =>
  LOCALES.find(({ value }) => value === text)?.value;

/** What this browser chose before, else the first language of the browser that we have. */
function chosen(): Locale {
  try {
    const stored = localeOf(localStorage.getItem(STORED_UNDER));
    if (stored !== undefined) return stored;
  } catch {
    // Storage may be turned off: then the browser's languages decide.
  }
  const wished = typeof document === "undefined" ? [] : navigator.languages;
  for (const language of wished) {
    const found = localeOf(language.slice(0, 2).toLowerCase());
    if (found !== undefined) return found;
  }
  return "en";
}

/** The language of this page. It stays the same until the page loads again. */
export const locale: Locale = chosen();

const variety =
  (typeof document === "undefined" ? [] : navigator.languages).find(
    (language) => language.slice(0, 2).toLowerCase() === locale,
  ) ?? locale;

/**
 * The tag for dates and numbers: the browser's own variety of the page's language, such as en-GB,
 * where it has one. Chrome has no Icelandic and would write as in English; Danish, which writes
 * numbers as Icelandic does, stands in.
 */
export const formatLocale: string = Intl.NumberFormat.supportedLocalesOf(variety)[0] ?? "da";

/** Whether this browser cannot write Icelandic, so that names of months and languages and plurals are ours. */
export const lacksIcelandic = locale === "is" && formatLocale === "da";

/** The tag for days in words: in English the day comes first, "4 May 2026". */
export const dayLocale = locale === "en" ? "en-GB" : formatLocale;

/** Remember a language in this browser. Returns whether the browser keeps it. */
export function storeLocale(next: Locale): boolean {
  try {
    localStorage.setItem(STORED_UNDER, next);
    return true;
  } catch {
    return false;
  }
}

if (typeof document !== "undefined") document.documentElement.lang = locale;
