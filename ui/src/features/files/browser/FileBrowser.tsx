import { Suspense, type ComponentProps } from "react";
import { useLocation, useSearchParams } from "react-router";
import { t } from "../../../platform/messages/files";
import { EmptyState } from "../../../platform/page/EmptyState";
import { isSearchable } from "../../search/data";
import { useMayAdd, useWorkspace } from "../../../domain/teams/workspace";
import { useFiles, type FilePage, type FileQuery } from "../../../domain/files/data";
import { FileGrid, ListProblem } from "../FileGrid";
import type { FileTools as Tools } from "./FileTools";
import { FIRST, isNarrowed, queryOf, readSearch, writeSearch, type FileSearch } from "./fileSearch";
import { LookOnlyLater } from "../../../domain/teams/LookOnlyLater";
import { SelectionContext, useNewSelection } from "./selection";
import styles from "./fileBrowser.module.css";
import { later, part } from "../../../platform/failure/Later";

// Its fields weigh more than the list.
const FileTools = later<ComponentProps<typeof Tools>>(
  async () => ({ default: (await import("./FileTools")).FileTools }),
  () => <div className={styles.filesTools} aria-hidden="true" />,
);
const SelectionBar = later(async () => ({
  default: (await import("./SelectionBar")).SelectionBar,
}));
const SearchResults = part(() => import("../../search/SearchResults"));

/** As many as are rendered at once; a longer list renders what is in view. */
const GRID_MAX = 24;

interface ListProps {
  query: FileQuery;
  first: FilePage;
}

const Wall = later(
  async () => ({
    default: (await import("../FileWall")).FileWall,
  }),
  ({ first }: ListProps) => <FileGrid files={first.data.slice(0, GRID_MAX)} />,
);

function Files(props: ListProps) {
  const { first } = props;
  return first.meta.total > GRID_MAX ? <Wall {...props} /> : <FileGrid files={first.data} />;
}

/** The search of a list, read from the URL, and the way to change it. */
export function useFileSearch() {
  const [params, setParams] = useSearchParams();
  const { pathname } = useLocation();
  const search = readSearch(params);
  const show = (change: Partial<FileSearch>) => {
    // The box waits for a pause in typing. Whoever has gone on meanwhile, to a page that still loads, stays there.
    if (window.location.pathname !== pathname) return;
    setParams(writeSearch({ ...search, page: 1, ...change }), { replace: true });
  };
  return { search, show };
}

/** All files of the person: found by words, narrowed by filters, in one list that loads as it is scrolled. */
export function FileBrowser({ onAdd }: { onAdd: () => void }) {
  const { search, show } = useFileSearch();
  const selection = useNewSelection();
  const mayAdd = useMayAdd();
  const workspace = useWorkspace();
  const query = queryOf(search, workspace);
  const { data: first, error, mutate } = useFiles({ ...query, page: 1 });
  const isSearching = isSearchable(search.q);

  if (first === undefined && error !== undefined) {
    return <ListProblem error={error} onRetry={() => void mutate()} />;
  }
  if (first === undefined) return <EmptyState />;
  const { total } = first.meta;
  const nothingYet = (
    <EmptyState
      loading={false}
      title={t("none.title")}
      description={mayAdd ? t("none.about") : <LookOnlyLater about="uploads" />}
      hero="listening"
      add={mayAdd ? { label: t("upload.label"), contentType: "file", onAdd } : undefined}
    />
  );
  const isEmpty = total === 0 && !isNarrowed(search);
  // Other workspaces may have files.
  if (isEmpty && workspace === undefined) return nothingYet;
  const clear = () => show({ ...FIRST, sort: search.sort });
  return (
    <SelectionContext value={selection}>
      <FileTools search={search} onChange={show} />
      {isSearching ? (
        <Suspense fallback={<EmptyState />}>
          <SearchResults
            keyword={search.q}
            page={search.page}
            onPage={(page) => show({ page })}
            onClear={clear}
          />
        </Suspense>
      ) : (
        <>
          <p className={`quiet ${styles.filesCount}`} role="status">
            {t("total", { total })}
          </p>
          {isEmpty ? (
            nothingYet
          ) : total === 0 ? (
            <EmptyState
              loading={false}
              title={t("noMatches")}
              description={t("noMatch")}
              hero="searching"
              add={{ label: t("showAll"), contentType: "search", onAdd: clear }}
            />
          ) : (
            <Files key={JSON.stringify(query)} query={query} first={first} />
          )}
        </>
      )}
      <SelectionBar />
    </SelectionContext>
  );
}
