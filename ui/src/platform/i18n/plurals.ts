import { formatLocale, lacksIcelandic } from "./locale";

const numbers = new Map<string, Intl.NumberFormat>();

function numberFormat(options?: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const known = numbers.get(key) ?? new Intl.NumberFormat(formatLocale, options);
  numbers.set(key, known);
  return known;
}

/** CLDR's rule for Icelandic: 1, 21 and 101 are singular, 11 and 111 are not; of 0.1 the decimals count. */
export const icelandicPlural = (count: number): "one" | "other" =>
  /(^|[^1])1$/.test(String(Math.abs(count))) ? "one" : "other";

/** What a message takes its numbers and plurals from where the browser has no Icelandic. */
const formatters = {
  getNumberFormat: (_: unknown, options?: object) => numberFormat(options),
  getDateTimeFormat: (_: unknown, options?: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(formatLocale, options),
  getPluralRules: () => ({ select: icelandicPlural }) as Intl.PluralRules,
};

/** The options of every message of the pages. */
export const messageOptions = lacksIcelandic ? { formatters } : undefined;
