/** The search and the spelling check, to which the list subscribes once for all of its rows. */
import { useMemo, useSyncExternalStore } from "react";
import type { Editing } from "../../editor/editing";
import type { Matcher } from "../find/matcher";
import { searchOf, type Found } from "../find/Search";
import { spellingOf, type Spelling } from "../spelling/Spelling";
import { useSpellingState } from "../spelling/useSpelling";

/** A new object when other matches are found, or another check marks words. Which words are wrong is up to each row. */
export interface Checks {
  /** Null while nothing is searched for. */
  matcher: Matcher | null;
  spelling: Spelling;
  /** Ours checks the spelling; with the browser's as well, words would be underlined twice. */
  hasOwnSpelling: boolean;
}

export function useChecks(editing: Editing): Checks {
  const search = searchOf(editing);
  const spelling = spellingOf(editing);
  const matcher = useSyncExternalStore(search.subscribe, search.getMatcher);
  const hasOwnSpelling = useSpellingState(spelling) === "ready";
  return useMemo(
    () => ({ matcher, spelling, hasOwnSpelling }),
    [matcher, spelling, hasOwnSpelling],
  );
}

/** The match that the search is at. */
export function useFound(editing: Editing): Found | null {
  const search = searchOf(editing);
  return useSyncExternalStore(search.subscribe, search.getCurrent);
}
