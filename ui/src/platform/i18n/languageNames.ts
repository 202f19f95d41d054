import useSWR from "swr";
import { lacksIcelandic, locale } from "./locale";

const browser = lacksIcelandic
  ? undefined
  : new Intl.DisplayNames([locale], { type: "language", fallback: "none" });

let ours: Readonly<Record<string, string>> = {};
let compare = (a: string, b: string): number => a.localeCompare(b, locale);

/** Fetch the Icelandic names of languages where the browser has none. */
export async function loadLanguageNames(): Promise<true> {
  if (lacksIcelandic)
    ({ ICELANDIC_LANGUAGES: ours, compareIcelandic: compare } =
      await import("./icelandicLanguages"));
  return true;
}

/**
 * Show a component again when the names of languages arrive. Only the lists of files need it, which load
 * no other sentences first; elsewhere the names come with the page.
 */
export function useLanguageNames(): void {
  useSWR(lacksIcelandic ? "language-names" : null, loadLanguageNames, {
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
  });
}

/** The name of a language tag in the language of the page, if there is one. */
export function nameOfLanguage(code: string): string | undefined {
  try {
    return browser === undefined ? ours[code] : browser.of(code);
  } catch {
    // The code is no language tag.
    return undefined;
  }
}

/** Languages by their names; the server's order is that of the English ones. */
export const byName = <Item extends { label: string }>(items: Item[]): Item[] =>
  locale === "en" ? items : items.sort((a, b) => compare(a.label, b.label));
