import { UnstyledButton } from "@mantine/core";
import { t } from "../../../platform/messages/admin";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { clock } from "../../../domain/files/format";
import { StatusBadge } from "../../../domain/files/StatusBadge";
import { useLanguages } from "../../../domain/languages/languages";
import { AdminHead } from "../list/AdminHead";
import { AdminTable, type Column } from "../list/AdminTable";
import { listUrl, useAdminList } from "../list/useAdminList";
import { useFilters } from "../list/useFilters";
import { bytes, moment } from "../list/words";
import { ContentDrawer } from "./ContentDrawer";
import { ContentFilters } from "./ContentFilters";
import { CONTENTS, type Content, type ContentPage } from "./data";
import styles from "./contents.module.css";

const FILTERS = ["q", "kind", "language", "owner", "team", "in_bin", "failed_within_h"];
const NEWEST = "-created_at";

/** All files of all people: what they are and how their work stands. */
export default function ContentsPage() {
  usePageTitle(t("contents.title"));
  const { get, getAll, set } = useFilters();
  const { label } = useLanguages();
  const values: Record<string, string | string[]> = Object.fromEntries(
    FILTERS.map((name) => [name, get(name)]),
  );
  values.status = getAll("status");
  values.sort = get("sort") || NEWEST;
  const { data, error, mutate } = useAdminList<Content>(CONTENTS, { ...values, page: get("page") });
  const meta = data?.meta as ContentPage["meta"] | undefined;
  const open = (slug: string | null) => set({ file: slug, page: get("page") });

  const columns: Column<Content>[] = [
    {
      label: t("contents.file"),
      sort: "name",
      cell: (file) => (
        <div>
          <UnstyledButton className={styles.name} onClick={() => open(file.slug)}>
            {file.name}
          </UnstyledButton>
          <span className="quiet">{file.kind}</span>
        </div>
      ),
    },
    {
      label: t("contents.owner"),
      cell: (file) => (
        <div>
          <UnstyledButton
            className={styles.filter}
            title={t("contents.ofPerson")}
            onClick={() => set({ owner: file.owner.email })}
          >
            {file.owner.email}
          </UnstyledButton>
          {file.team !== null && (
            <UnstyledButton
              className={styles.filter}
              title={t("contents.ofTeam")}
              onClick={() => set({ team: file.team?.name ?? null })}
            >
              {file.team.name}
            </UnstyledButton>
          )}
        </div>
      ),
    },
    {
      label: t("contents.state"),
      cell: (file) => (
        <div>
          <StatusBadge status={file.status} code={file.error_code} />
          <span className={styles.state}>{stateWords(file)}</span>
        </div>
      ),
    },
    { label: t("contents.language"), cell: (file) => label(file.language) },
    {
      label: t("contents.length"),
      sort: "duration_ms",
      numeric: true,
      cell: (file) => (file.duration_ms === null ? "–" : clock(file.duration_ms)),
    },
    {
      label: t("contents.size"),
      sort: "size_bytes",
      numeric: true,
      cell: (file) => (file.size_bytes === null ? "–" : bytes(file.size_bytes)),
    },
    { label: t("contents.model"), cell: (file) => file.engine ?? "–" },
    { label: t("contents.added"), sort: "created_at", cell: (file) => moment(file.created_at) },
  ];
  return (
    <>
      <AdminHead
        title={t("contents.contents")}
        count={
          meta &&
          (meta.is_more
            ? t("contents.tooMany", { total: meta.total })
            : t("contents.total", { total: meta.total }))
        }
        csv={listUrl(CONTENTS, { ...values, format: "csv" })}
      />
      <ContentFilters get={get} getAll={getAll} set={set} />
      <AdminTable
        name={t("contents.filesName")}
        page={data}
        error={error}
        columns={columns}
        rowKey={(file) => file.id}
        sort={values.sort}
        onSort={(sort) => set({ sort: SORTS.has(sort) ? sort : `-${sort}` })}
        onPage={(page) => set({ page: String(page) })}
        onRetry={() => void mutate()}
      />
      <ContentDrawer slug={get("file")} onClose={() => open(null)} />
    </>
  );
}

/** Orders that the server offers; longest and largest have no opposite. */
const SORTS = new Set(["created_at", "-created_at", "name", "-duration_ms", "-size_bytes"]);

function stateWords(file: Content): string {
  if (file.deleted_at !== null)
    return t("contents.bin.since", { deletedAt: moment(file.deleted_at) });
  if (file.queue_place !== null) return t("contents.queuePlace", { queuePlace: file.queue_place });
  if (file.error !== null) return file.error;
  return file.status === "completed" ? "" : `${file.progress} %`;
}
