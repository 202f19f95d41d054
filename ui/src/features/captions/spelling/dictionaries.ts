/** The dictionaries that our server has, each a package `dictionary-*`. The worker loads them; the page only names them. */

const affixes: Record<string, string> = import.meta.glob("/node_modules/dictionary-*/index.aff", {
  query: "?url",
  import: "default",
  eager: true,
});
const words: Record<string, string> = import.meta.glob("/node_modules/dictionary-*/index.dic", {
  query: "?url",
  import: "default",
  eager: true,
});

const pathOf = (name: string, kind: "aff" | "dic"): string =>
  `/node_modules/dictionary-${name}/index.${kind}`;

/** Names under which a language may have a dictionary, the best first: `pt-PT` has its own, `is-IS` that of `is`. */
export function candidates(language: string): string[] {
  const [base = "", region = ""] = language.toLowerCase().split(/[-_]/);
  return region === "" || region === base ? [base] : [`${base}-${region}`, base];
}

/** The dictionaries by name, such as `is` and `en-gb`. */
export const DICTIONARIES: readonly string[] = Object.keys(words)
  .map((path) => /dictionary-([^/]+)\//.exec(path)?.[1] ?? "")
  .filter((name) => name !== "");

/** The name of the dictionary that a language has; undefined where there is none. */
export const nameOfDictionary = (language: string): string | undefined =>
  candidates(language).find((name) => DICTIONARIES.includes(name));

/** The addresses of a language's dictionary; undefined where there is none. */
export function dictionaryOf(language: string): { affixes: string; words: string } | undefined {
  const name = nameOfDictionary(language);
  if (name === undefined) return undefined;
  const [one, other] = [affixes[pathOf(name, "aff")], words[pathOf(name, "dic")]];
  return one === undefined || other === undefined ? undefined : { affixes: one, words: other };
}
