/** What a list shows, kept in the URL, so that it survives a reload, the back button and sharing. */
import { STOPPED, WORKING, type FileQuery, type FileStatus } from "./data";

export const PER_PAGE = 48;

export const SORTS = [
  { value: "-created_at", label: "Newest first" },
  { value: "created_at", label: "Oldest first" },
  { value: "name", label: "Name, A to Z" },
  { value: "-name", label: "Name, Z to A" },
  { value: "-duration_ms", label: "Longest first" },
  { value: "duration_ms", label: "Shortest first" },
  { value: "-size_bytes", label: "Largest first" },
  { value: "size_bytes", label: "Smallest first" },
] as const satisfies { value: NonNullable<FileQuery["sort"]>; label: string }[];

export const FILTERS = [
  { value: "all", label: "All", statuses: [] },
  { value: "working", label: "In progress", statuses: WORKING },
  { value: "completed", label: "Completed", statuses: ["completed"] },
  { value: "stopped", label: "Failed or cancelled", statuses: STOPPED },
] as const satisfies { value: string; label: string; statuses: FileStatus[] }[];

export interface FileSearch {
  q: string;
  filter: (typeof FILTERS)[number]["value"];
  sort: (typeof SORTS)[number]["value"];
  page: number;
}

const FIRST: FileSearch = { q: "", filter: "all", sort: "-created_at", page: 1 };

/** Read a search from the URL. Missing and invalid values get their defaults. */
export function readSearch(params: URLSearchParams): FileSearch {
  const page = Number(params.get("page"));
  return {
    q: params.get("q") ?? FIRST.q,
    filter: FILTERS.find(({ value }) => value === params.get("filter"))?.value ?? FIRST.filter,
    sort: SORTS.find(({ value }) => value === params.get("sort"))?.value ?? FIRST.sort,
    page: Number.isInteger(page) && page > 0 && page < 1_000_000 ? page : FIRST.page,
  };
}

/** The URL parameters of a search, without default values. */
export function writeSearch(search: FileSearch): Record<string, string> {
  return Object.fromEntries(
    Object.entries(search)
      .filter(([name, value]) => value !== FIRST[name as keyof FileSearch])
      .map(([name, value]) => [name, String(value)]),
  );
}

/** The query for the server. */
export function queryOf({ q, filter, sort, page }: FileSearch): FileQuery {
  const statuses: readonly FileStatus[] =
    FILTERS.find(({ value }) => value === filter)?.statuses ?? [];
  return { q, status: [...statuses], sort, page, per_page: PER_PAGE };
}

export const isNarrowed = ({ q, filter }: FileSearch): boolean => q !== "" || filter !== "all";
