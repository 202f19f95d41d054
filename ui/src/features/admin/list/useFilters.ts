import { useCallback } from "react";
import { useSearchParams } from "react-router";

/** The filters of a list, in the page's address, so that a reload and a link show the same. */
export function useFilters() {
  const [search, setSearch] = useSearchParams();
  const get = (name: string): string => search.get(name) ?? "";
  const getAll = (name: string): string[] => search.getAll(name);
  /** Change filters. Every change but that of the page starts at the first page. */
  const set = useCallback(
    (changes: Record<string, string | string[] | null>) => {
      setSearch(
        (held) => {
          const next = new URLSearchParams(held);
          if (!("page" in changes)) next.delete("page");
          for (const [name, value] of Object.entries(changes)) {
            next.delete(name);
            for (const one of Array.isArray(value) ? value : [value ?? ""])
              if (one !== "") next.append(name, one);
          }
          return next;
        },
        { replace: true },
      );
    },
    [setSearch],
  );
  return { get, getAll, set, search };
}
