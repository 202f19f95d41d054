/** Words that the spelling check accepts, and what people correct often. */
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import type { TermScope } from "./types";

export type KnownWord = Schemas["KnownWordOut"];
export type Suggestion = Schemas["Suggestion"];
export type TermUse = Schemas["TermUse"];

export function useKnownWords() {
  return useSWR<KnownWord[], Error>(
    keys.knownWords,
    async () => (await unwrap(api.GET("/api/glossary/words"))).data,
  );
}

/** Accept a word in a language from now on; null for any language. */
export const addKnownWord = async (
  word: string,
  language: string | null,
  scope: TermScope,
): Promise<KnownWord> =>
  (await unwrap(api.POST("/api/glossary/words", { body: { word, language, scope } }))).data;

export async function removeKnownWord(word_id: string): Promise<void> {
  await unwrap(api.DELETE("/api/glossary/words/{word_id}", { params: { path: { word_id } } }));
}

export function useSuggestions() {
  return useSWR<Suggestion[], Error>(
    keys.suggestions,
    async () => (await unwrap(api.GET("/api/glossary/suggestions"))).data,
  );
}

/** Make a term of a suggestion, or dismiss it. */
export async function settleSuggestion(
  { wrong, right, language }: Suggestion,
  accept: boolean,
): Promise<void> {
  await unwrap(api.POST("/api/glossary/suggestions", { body: { wrong, right, language, accept } }));
}

/** How often captions hold each term, by its id. */
export function useTermUses() {
  return useSWR<ReadonlyMap<string, TermUse>, Error>(keys.termUses, async () => {
    const { data } = await unwrap(api.GET("/api/glossary/uses"));
    return new Map(data.map((use) => [use.id, use]));
  });
}
