/** Checks words with Hunspell, away from the page: a large dictionary takes half a second to load. */
import { createHunspellFromStrings, type Hunspell } from "hunspell-wasm";
import { dictionaryOf } from "./dictionaries";
import type { FromWorker, ToWorker } from "./messages";

const SUGGESTIONS_MAX = 7;

/** That of the captions first. A word is right if one of them has it. */
let dictionaries: Hunspell[] = [];

const answer = (message: FromWorker) => self.postMessage(message);

async function textAt(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.text();
}

async function read(name: string): Promise<Hunspell | undefined> {
  const found = dictionaryOf(name);
  if (found === undefined) return undefined;
  const [affixes, words] = await Promise.all([textAt(found.affixes), textAt(found.words)]);
  return createHunspellFromStrings(affixes, words);
}

async function load(language: string, also: readonly string[]): Promise<void> {
  try {
    const own = await read(language);
    if (own === undefined) {
      answer({ kind: "missing", failed: false });
      return;
    }
    const others = await Promise.all(also.map(read));
    dictionaries = [own, ...others.filter((one) => one !== undefined)];
    answer({ kind: "loaded" });
  } catch {
    answer({ kind: "missing", failed: true });
  }
}

// Hunspell knows only the straight apostrophe.
const plain = (word: string): string => word.replaceAll("’", "'");

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "load") {
    void load(data.language, data.also);
    return;
  }
  if (dictionaries.length === 0) return;
  if (data.kind === "check") {
    const wrong = data.words.filter(
      (word) => !dictionaries.some((one) => one.testSpelling(plain(word))),
    );
    answer({ kind: "checked", wrong, words: data.words });
  } else {
    const words = dictionaries.flatMap((one) => one.getSpellingSuggestions(plain(data.word)));
    answer({
      kind: "suggested",
      id: data.id,
      words: [...new Set(words)].slice(0, SUGGESTIONS_MAX),
    });
  }
});
