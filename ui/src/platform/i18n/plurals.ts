import { is } from "make-plural/plurals";
import { formatLocale, lacksIcelandic } from "./locale";

const numbers = new Map<string, Intl.NumberFormat>();

function numberFormat(options?: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const known = numbers.get(key) ?? new Intl.NumberFormat(formatLocale, options);
  numbers.set(key, known);
  return known;
}

/** What a message takes its numbers and plurals from where the browser has no Icelandic. */
const formatters = {
  getNumberFormat: (_: unknown, options?: object) => numberFormat(options),
  getDateTimeFormat: (_: unknown, options?: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(formatLocale, options),
  getPluralRules: () => ({ select: is }) as Intl.PluralRules,
};

/** The options of every message of the pages. */
export const messageOptions = lacksIcelandic ? { formatters } : undefined;
