/** The search and the spelling check, to which the list subscribes once for all of its rows. */
import { useMemo, useSyncExternalStore } from "react";
import type { Editing } from "../editing";
import type { Matcher } from "../find/matcher";
import { searchOf, type Found } from "../find/Search";
import { spellingOf, type Spelling } from "../spelling/Spelling";
import { useSpellingState } from "../spelling/useSpelling";

/** A new object whenever words may be judged, or matches found, differently. */
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
  const marks = useSyncExternalStore(spelling.subscribe, spelling.getMarks);
  return useMemo(
    () => ({ matcher, spelling, hasOwnSpelling }),
    // Another number means that other words may be wrong.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [matcher, spelling, hasOwnSpelling, marks],
  );
}

/** The match that the search is at. */
export function useFound(editing: Editing): Found | null {
  const search = searchOf(editing);
  return useSyncExternalStore(search.subscribe, search.getCurrent);
}
