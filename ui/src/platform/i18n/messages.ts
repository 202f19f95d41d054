import { IntlMessageFormat } from "intl-messageformat";
import { Children, type ReactNode } from "react";
import { loaded, type Catalogue } from "./loaded";
import { formatLocale, locale } from "./locale";
import { messageOptions } from "./plurals";

const LOCALES = [formatLocale, locale];

export type Values = Readonly<Record<string, string | number | Date | null | undefined>>;
type Tag = (parts: ReactNode[]) => ReactNode;
export type RichValues = Readonly<Record<string, ReactNode | Date | Tag>>;

/** The sentences of one catalogue in the language of the page. */
export interface Translate<Key extends string> {
  (key: Key, values?: Values): string;
  /** A sentence with elements in it: `<b>…</b>` in the message takes `b: (parts) => <strong>{parts}</strong>`. */
  rich: (key: Key, values: RichValues) => ReactNode;
}

/**
 * The sentences of a catalogue in English, written as ICU messages; `name` is the name of its file.
 * Returns the function that features take their sentences from.
 */
export function messages<const English extends Record<string, string>>(
  name: string,
  english: English,
): Translate<keyof English & string> {
  const catalogue = loaded[name] ?? english;
  const parsed = new Map<string, IntlMessageFormat>();
  const messageOf = (key: string): IntlMessageFormat => {
    const known = parsed.get(key);
    if (known !== undefined) return known;
    const message = new IntlMessageFormat(textOf(key), LOCALES, undefined, messageOptions);
    parsed.set(key, message);
    return message;
  };
  const textOf = (key: string) => catalogue[key] ?? (english as Catalogue)[key] ?? key;
  const t = (key: string, values?: Values): string => {
    const text = textOf(key);
    return typeof text === "string" && !/[{<]/.test(text)
      ? text
      : String(messageOf(key).format(values));
  };
  const rich = (key: string, values: RichValues): ReactNode => {
    const parts = messageOf(key).format<ReactNode>(values as Record<string, ReactNode>);
    return Array.isArray(parts) ? Children.toArray(parts as ReactNode[]) : (parts as ReactNode);
  };
  return Object.assign(t, { rich });
}
