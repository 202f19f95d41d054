import { formatLocale, lacksIcelandic } from "./locale";

/**
 * Amounts of money of so many cents, as `options` say, in the language of the page. Icelandic names foreign
 * currencies by their codes, as CLDR does; Danish, which stands in for it, has other signs.
 */
export function moneyFormat(
  currency: string,
  options?: Intl.NumberFormatOptions,
): (cents: number) => string {
  const format = new Intl.NumberFormat(formatLocale, {
    style: "currency",
    currency,
    ...(lacksIcelandic && { currencyDisplay: "code" }),
    ...options,
  });
  return (cents) => {
    const text = format.format(cents / 100);
    return lacksIcelandic ? text.replace("ISK", "kr.") : text;
  };
}
