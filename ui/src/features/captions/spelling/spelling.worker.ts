/** Checks words with Hunspell, away from the page: a large dictionary takes half a second to load. */
import { createHunspellFromStrings, type Hunspell } from "hunspell-wasm";
import { dictionaryOf } from "./dictionaries";
import type { FromWorker, ToWorker } from "./messages";

const SUGGESTIONS_MAX = 7;

let hunspell: Hunspell | undefined;

const answer = (message: FromWorker) => self.postMessage(message);

async function textAt(url: string): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.text();
}

async function load(language: string): Promise<void> {
  const found = dictionaryOf(language);
  if (found === undefined) {
    answer({ kind: "missing", failed: false });
    return;
  }
  try {
    const [affixes, words] = await Promise.all([textAt(found.affixes), textAt(found.words)]);
    hunspell = await createHunspellFromStrings(affixes, words);
    answer({ kind: "loaded" });
  } catch {
    answer({ kind: "missing", failed: true });
  }
}

// Hunspell knows only the straight apostrophe.
const plain = (word: string): string => word.replaceAll("’", "'");

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "load") {
    void load(data.language);
    return;
  }
  const dictionary = hunspell;
  if (dictionary === undefined) return;
  if (data.kind === "check") {
    const wrong = data.words.filter((word) => !dictionary.testSpelling(plain(word)));
    answer({ kind: "checked", wrong, words: data.words });
  } else {
    const words = dictionary.getSpellingSuggestions(plain(data.word)).slice(0, SUGGESTIONS_MAX);
    answer({ kind: "suggested", id: data.id, words });
  }
});
