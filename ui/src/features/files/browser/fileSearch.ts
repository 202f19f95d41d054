/** What a list shows, kept in the URL, so that it survives a reload, the back button and sharing. */
import { t } from "../../../platform/messages/files";
import {
  newestQuery,
  STOPPED,
  WORKING,
  type FileQuery,
  type FileStatus,
} from "../../../domain/files/data";

export const SORTS = [
  { value: "-created_at", label: t("newestFirst") },
  { value: "created_at", label: t("oldestFirst") },
  { value: "name", label: t("sort.nameUp") },
  { value: "-name", label: t("sort.nameDown") },
  { value: "-duration_ms", label: t("longestFirst") },
  { value: "duration_ms", label: t("shortestFirst") },
  { value: "-size_bytes", label: t("largestFirst") },
  { value: "size_bytes", label: t("smallestFirst") },
] as const satisfies { value: NonNullable<FileQuery["sort"]>; label: string }[];

export const FILTERS = [
  { value: "all", label: t("all"), statuses: [] },
  { value: "working", label: t("inProgress"), statuses: [...WORKING, "live"] },
  { value: "completed", label: t("completed"), statuses: ["completed"] },
  { value: "stopped", label: t("state.failedOrCancelled"), statuses: STOPPED },
] as const satisfies { value: string; label: string; statuses: FileStatus[] }[];

/** The value of `tag` for files without any. */
export const UNTAGGED = "none";
/** The value of `team` for the files of all workspaces. */
export const EVERYWHERE = "all";

export interface FileSearch {
  /** Words to search for in names and captions. */
  q: string;
  filter: (typeof FILTERS)[number]["value"];
  sort: (typeof SORTS)[number]["value"];
  /** Slugs of tags, any of which a file must have. */
  tag: string[];
  language: string[];
  /** A team's id, `mine` or `EVERYWHERE`; empty for the workspace in which one works. */
  team: string;
  /** The page of search results. */
  page: number;
}

export const FIRST: FileSearch = {
  q: "",
  filter: "all",
  sort: "-created_at",
  tag: [],
  language: [],
  team: "",
  page: 1,
};

/** Read a search from the URL. Missing and invalid values get their defaults. */
export function readSearch(params: URLSearchParams): FileSearch {
  const page = Number(params.get("page"));
  return {
    q: params.get("q") ?? FIRST.q,
    filter: FILTERS.find(({ value }) => value === params.get("filter"))?.value ?? FIRST.filter,
    sort: SORTS.find(({ value }) => value === params.get("sort"))?.value ?? FIRST.sort,
    tag: params.getAll("tag"),
    language: params.getAll("language"),
    team: params.get("team") ?? FIRST.team,
    page: Number.isInteger(page) && page > 0 && page < 1_000_000 ? page : FIRST.page,
  };
}

/** The URL parameters of a search, without default values. */
export function writeSearch(search: FileSearch): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (Array.isArray(value)) for (const one of value) params.append(name, String(one));
    else if (value !== FIRST[name as keyof FileSearch]) params.set(name, String(value));
  }
  return params;
}

/** The query for the server, without its page. `workspace` is where the person works, if they have several. */
export function queryOf(
  { filter, sort, tag, language, team }: FileSearch,
  workspace: string | undefined,
): FileQuery {
  const statuses: readonly FileStatus[] =
    FILTERS.find(({ value }) => value === filter)?.statuses ?? [];
  const where = team === "" ? workspace : team === EVERYWHERE ? undefined : team;
  return { ...newestQuery(where), status: [...statuses], sort, tag, language };
}

export const isNarrowed = ({ q, filter, tag, language, team }: FileSearch): boolean =>
  q !== "" || filter !== "all" || tag.length > 0 || language.length > 0 || team !== "";
