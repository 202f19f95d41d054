/** Find and replace in the captions of many files. */
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { saveEdit } from "../../../domain/captions/calls";
import { newId } from "../../../domain/captions/model/commands";
import type { SearchTerms } from "./matcher";

export type FoundTrack = Schemas["ReplaceOut"];
export type Preview = Schemas["ReplacePreview"];
export type Replaced = Schemas["ReplaceResult"];

/** Names a track in lists. */
export const trackId = ({ slug, language }: { slug: string; language: string }): string =>
  `${slug}/${language}`;

const termsOf = (terms: SearchTerms, replacement: string) => ({
  query: terms.query,
  replacement,
  match_case: terms.matchCase,
  whole_word: terms.wholeWord,
  is_pattern: terms.isPattern,
});

export const previewReplacement = async (
  terms: SearchTerms,
  replacement: string,
): Promise<Preview> =>
  (await unwrap(api.POST("/api/captions/replace/preview", { body: termsOf(terms, replacement) })))
    .data;

export async function replaceInTracks(
  terms: SearchTerms,
  replacement: string,
  tracks: readonly FoundTrack[],
): Promise<Replaced[]> {
  const targets = tracks.map(({ slug, language }) => ({ slug, language }));
  const body = { ...termsOf(terms, replacement), targets };
  return (await unwrap(api.POST("/api/captions/replace", { body }))).data;
}

/** Take a replacement back. Refused if somebody has changed the captions since. */
export async function undoReplacement({ slug, language, revision }: Replaced): Promise<void> {
  if (revision === null) return;
  await saveEdit(slug, { action: "Undo", language, issued: revision, command: newId() });
}
