import { useCallback, useLayoutEffect, useRef } from "react";
import { useSearchParams } from "react-router";

/** What stands in the address too, and hides no row. */
const NO_FILTERS = new Set(["page", "sort", "invoice", "file"]);

/** The filters of a list, in the page's address, so that a reload and a link show the same. */
export function useFilters() {
  const [search, setSearch] = useSearchParams();
  const newest = useRef(search);
  useLayoutEffect(() => {
    newest.current = search;
  }, [search]);
  const get = (name: string): string => search.get(name) ?? "";
  const getAll = (name: string): string[] => search.getAll(name);
  /**
   * Change filters. Every change but that of the page starts at the first page. Two changes before the next drawing both
   * count: the router's own update starts from the address that was drawn last, so a search that ends its pause took
   * back the row that was opened meanwhile.
   */
  const set = useCallback(
    (changes: Record<string, string | string[] | null>) => {
      const next = new URLSearchParams(newest.current);
      if (!("page" in changes)) next.delete("page");
      for (const [name, value] of Object.entries(changes)) {
        next.delete(name);
        for (const one of Array.isArray(value) ? value : [value ?? ""])
          if (one !== "") next.append(name, one);
      }
      newest.current = next;
      setSearch(next, { replace: true });
    },
    [setSearch],
  );
  const isFiltered = [...search.keys()].some((name) => !NO_FILTERS.has(name));
  return { get, getAll, set, search, isFiltered };
}
