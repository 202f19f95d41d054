import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { linePath } from "../../domain/captions/trackPath";

export type Found = Schemas["FoundOut"];
export type Match = Found["matches"][number];
export type FoundPage = Schemas["Page_FoundOut_"];

/** The specified least length of a keyword. Shorter ones clear the results. */
export const SEARCH_MIN = 3;
export const FOUND_PER_PAGE = 20;

export const isSearchable = (keyword: string): boolean => [...keyword.trim()].length >= SEARCH_MIN;

/** Files whose name or captions contain the words. Nothing is fetched for a short keyword. */
export function useSearch(keyword: string, page: number) {
  const words = keyword.trim();
  const query = { page, per_page: FOUND_PER_PAGE };
  return useSWR<FoundPage, Error>(
    isSearchable(words) ? keys.search(`${page}/${words}`) : null,
    () =>
      unwrap(
        api.GET("/api/files/transcriptions/search/{keyword}", {
          params: { path: { keyword: words }, query },
        }),
      ),
    { keepPreviousData: true },
  );
}

/** Where a hit leads: the editor in the hit's language, at its line and time. */
export function hitPath(slug: string, match: Match): string {
  const line = { id: match.line, start_ms: match.start_ms };
  return linePath(slug, line, match.is_translation ? match.language : undefined);
}
