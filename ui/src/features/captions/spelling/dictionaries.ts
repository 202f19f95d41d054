/** The dictionaries that our server has, each a package `dictionary-*`. Only the worker loads them. */

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

/** The addresses of a language's dictionary; undefined where there is none. */
export function dictionaryOf(language: string): { affixes: string; words: string } | undefined {
  for (const name of candidates(language)) {
    const [one, other] = [affixes[pathOf(name, "aff")], words[pathOf(name, "dic")]];
    if (one !== undefined && other !== undefined) return { affixes: one, words: other };
  }
  return undefined;
}
