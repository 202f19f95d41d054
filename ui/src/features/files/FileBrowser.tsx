import { Button, Pagination, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { usePublicConfig } from "../../api/publicConfig";
import { EmptyState } from "../../layouts/EmptyState";
import { IconSearch } from "../../theme/icons";
import { useFiles } from "./data";
import { FileGrid, ListProblem } from "./FileGrid";
import {
  FILTERS,
  isNarrowed,
  PER_PAGE,
  queryOf,
  readSearch,
  SORTS,
  writeSearch,
  type FileSearch,
} from "./fileSearch";
import styles from "./fileBrowser.module.css";

const TYPING_PAUSE_MS = 250;

interface Props {
  kind: "files" | "videos";
  onAdd: () => void;
}

/** All files of the person, in pages, with search, filter and sort order. */
export function FileBrowser({ kind, onAdd }: Props) {
  const [params, setParams] = useSearchParams();
  const search = readSearch(params);
  const { data: page, error, isLoading, mutate } = useFiles(queryOf(search), kind);
  const show = (change: Partial<FileSearch>) =>
    setParams(writeSearch({ ...search, page: 1, ...change }), { replace: true });

  const pages = Math.ceil((page?.meta.total ?? 0) / PER_PAGE);
  const isBeyond = page !== undefined && !isLoading && pages > 0 && search.page > pages;
  // The last file of the last page was deleted, or the URL is old.
  useEffect(() => {
    if (isBeyond) setParams(writeSearch({ ...search, page: pages }), { replace: true });
  });

  if (page === undefined && error !== undefined) {
    return <ListProblem error={error} onRetry={() => void mutate()} />;
  }
  if (page === undefined) return <EmptyState />;
  if (page.meta.total === 0 && !isNarrowed(search)) {
    return (
      <EmptyState
        loading={false}
        title={kind === "videos" ? "No videos yet" : "No files yet"}
        description="Upload a video or audio file to see it here."
        hero="listening"
        add={{ label: "Upload a file", contentType: "file", onAdd }}
      />
    );
  }
  return (
    <>
      <Toolbar search={search} onChange={show} />
      <p className={`quiet ${styles.filesCount}`} role="status">
        {countWords(page.meta.total, kind)}
      </p>
      {page.meta.total === 0 ? (
        <EmptyState
          loading={false}
          title="No matches"
          description="No files match your search. Try fewer letters or another filter."
          hero="searching"
          add={{
            label: "Show all",
            contentType: "search",
            onAdd: () => show({ q: "", filter: "all" }),
          }}
        />
      ) : (
        <FileGrid files={page.data} />
      )}
      {pages > 1 && (
        <Pagination
          className={styles.filesPages}
          total={pages}
          value={Math.min(search.page, pages)}
          onChange={(next) => {
            show({ page: next });
            window.scrollTo({ top: 0 });
          }}
          getItemProps={(item) => ({ "aria-label": `Page ${item}` })}
          getControlProps={(control) => ({ "aria-label": `${CONTROLS[control]} page` })}
        />
      )}
    </>
  );
}

const CONTROLS = { first: "First", previous: "Previous", next: "Next", last: "Last" };

const countWords = (total: number, kind: Props["kind"]): string => {
  const noun = kind === "videos" ? "video" : "file";
  return total === 1 ? `1 ${noun}` : `${total} ${noun}s`;
};

interface ToolbarProps {
  search: FileSearch;
  onChange: (change: Partial<FileSearch>) => void;
}

function Toolbar({ search, onChange }: ToolbarProps) {
  const [text, setText] = useState(search.q);
  const searchSoon = useDebouncedCallback((q: string) => onChange({ q }), TYPING_PAUSE_MS);
  const [shown, setShown] = useState(search.q);
  // The URL changed elsewhere, by the back button or by "Show all".
  if (shown !== search.q) {
    setShown(search.q);
    setText(search.q);
  }
  return (
    <search className={styles.filesTools}>
      <TextInput
        type="search"
        aria-label="Search by name"
        placeholder="Search by name"
        leftSection={<IconSearch size={16} />}
        value={text}
        maxLength={usePublicConfig()?.text_limits.keyword}
        onChange={(event) => {
          setText(event.currentTarget.value);
          searchSoon(event.currentTarget.value.trim());
        }}
      />
      <SegmentedControl
        aria-label="Filter"
        data={FILTERS.map(({ value, label }) => ({ value, label }))}
        value={search.filter}
        onChange={(filter) => onChange({ filter: filter as FileSearch["filter"] })}
      />
      <Select
        aria-label="Sort by"
        data={[...SORTS]}
        value={search.sort}
        allowDeselect={false}
        onChange={(sort) => sort !== null && onChange({ sort: sort as FileSearch["sort"] })}
      />
      {isNarrowed(search) && (
        <Button variant="subtle" onClick={() => onChange({ q: "", filter: "all" })}>
          Clear
        </Button>
      )}
    </search>
  );
}
