import { Button, Pagination } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../../platform/messages/admin";
import { EmptyState } from "../../../platform/page/EmptyState";
import { IconChevronDown } from "../../../platform/theme/icons";
import { useFilters } from "./useFilters";
import type { AdminPage } from "./useAdminList";
import styles from "./list.module.css";

export interface Column<Row> {
  label: string;
  /** The value of `sort` for ascending order; without one the column cannot be sorted. */
  sort?: string;
  numeric?: boolean;
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  /** What the list holds, for the empty state and for screen readers: "users". */
  name: string;
  page: AdminPage<Row> | undefined;
  error: Error | undefined;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  sort?: string;
  onSort?: (sort: string) => void;
  onPage: (page: number) => void;
  onRetry: () => void;
  /** What an empty list says that no filter narrows. */
  empty?: string;
}

/** A list in pages. On phones each row is a card with the columns' names. */
export function AdminTable<Row>(props: Props<Row>) {
  const { name, page, error, columns, rowKey, sort = "", onSort, onPage, onRetry, empty } = props;
  const { isFiltered } = useFilters();
  if (page === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title={t("list.loadFailed", { name })}
        description={error.message}
        add={{ label: t("list.tryAgain"), contentType: name, onAdd: onRetry }}
      />
    );
  }
  const pages = Math.max(1, Math.ceil(page.meta.total / page.meta.per_page));
  if (page.data.length === 0) {
    return (
      <EmptyState
        loading={false}
        title={t("list.noName", { name })}
        description={isFiltered ? t("list.noMatch") : (empty ?? t("list.empty"))}
      />
    );
  }
  return (
    <div className={styles.list}>
      {error !== undefined && (
        <p role="alert" className="danger-text">
          {error.message}{" "}
          <Button size="compact-xs" variant="light" onClick={onRetry}>
            {t("list.tryAgain")}
          </Button>
        </p>
      )}
      <div className={`card ${styles.sheet}`}>
        <table className={styles.table} aria-label={name}>
          <thead>
            <tr>
              {columns.map((column) => (
                <Head key={column.label} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {page.data.map((row) => (
              <tr key={rowKey(row)}>
                {columns.map(({ label, numeric, cell }) => (
                  <td key={label} data-label={label} data-numeric={numeric || undefined}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page.meta.page}
          onChange={onPage}
          getItemProps={(item) => ({ "aria-label": t("list.pageItem", { item }) })}
          getControlProps={(control) => ({ "aria-label": t("list.page", { control }) })}
        />
      )}
    </div>
  );
}

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: string;
  onSort?: (sort: string) => void;
}) {
  const { label, sort: name, numeric } = column;
  if (name === undefined || onSort === undefined) {
    return (
      <th scope="col" data-numeric={numeric || undefined}>
        {label}
      </th>
    );
  }
  const direction = sort === name ? "ascending" : sort === `-${name}` ? "descending" : "none";
  return (
    <th scope="col" aria-sort={direction} data-numeric={numeric || undefined}>
      <button type="button" onClick={() => onSort(sort === name ? `-${name}` : name)}>
        {label}
        <IconChevronDown size={14} aria-hidden="true" data-direction={direction} />
      </button>
    </th>
  );
}
