import { formatLocale, lacksIcelandic } from "./locale";

/** Where Danish, which stands in for Icelandic, has another word. The order and the signs of a date are the same. */
const WORDS: Readonly<Record<string, string>> = {
  januar: "janúar",
  februar: "febrúar",
  marts: "mars",
  april: "apríl",
  maj: "maí",
  juni: "júní",
  juli: "júlí",
  august: "ágúst",
  oktober: "október",
  november: "nóvember",
  december: "desember",
  "jun.": "jún.",
  "jul.": "júl.",
  "aug.": "ágú.",
  "nov.": "nóv.",
  "dec.": "des.",
  mandag: "mánudagur",
  tirsdag: "þriðjudagur",
  onsdag: "miðvikudagur",
  torsdag: "fimmtudagur",
  fredag: "föstudagur",
  lørdag: "laugardagur",
  søndag: "sunnudagur",
  "man.": "mán.",
  "tirs.": "þri.",
  "ons.": "mið.",
  "tors.": "fim.",
  "fre.": "fös.",
  "lør.": "lau.",
  "søn.": "sun.",
};

/**
 * Dates and times as `options` say, in the language of the page. Months and weekdays are Icelandic even in a
 * browser whose `Intl` has no Icelandic; the words are those of CLDR.
 */
export function dateFormat(
  options: Intl.DateTimeFormatOptions,
  tag: string = formatLocale,
): (time: Date | string) => string {
  const format = new Intl.DateTimeFormat(tag, options);
  return (time) => {
    const date = new Date(time);
    if (!lacksIcelandic) return format.format(date);
    return format
      .formatToParts(date)
      .map(({ type, value }, index, parts) => {
        if (
          type === "literal" &&
          value === "." &&
          ["minute", "second"].includes(parts[index + 1]?.type ?? "")
        )
          return ":";
        return type === "month" || type === "weekday" ? (WORDS[value] ?? value) : value;
      })
      .join("");
  };
}
