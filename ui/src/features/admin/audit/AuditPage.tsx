import { Button, MultiSelect, TextInput } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../../platform/messages/admin";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { AdminHead } from "../list/AdminHead";
import { AdminTable, type Column } from "../list/AdminTable";
import { SearchBox } from "../list/SearchBox";
import { listUrl, useAdminList } from "../list/useAdminList";
import { useFilters } from "../list/useFilters";
import { countedUpTo, moment } from "../list/words";
import list from "../list/list.module.css";
import { AUDIT, SUBJECTS, type AuditEntry } from "./data";
import styles from "./audit.module.css";

const COLUMNS: Column<AuditEntry>[] = [
  { label: t("audit.time"), cell: (entry) => <span className="tabular">{moment(entry.at)}</span> },
  {
    label: t("audit.what"),
    cell: (entry) => (
      <details className={styles.what}>
        <summary>{entry.sentence}</summary>
        <Details entry={entry} />
      </details>
    ),
  },
  { label: t("audit.by"), cell: (entry) => <Person person={entry.actor} none="Sagascript" /> },
  {
    label: t("audit.account"),
    cell: (entry) => <Person person={entry.subject} none={t("audit.none")} />,
  },
];

function Person({ person, none }: { person: AuditEntry["actor"]; none: string }) {
  if (person === null) return <span className="quiet">{none}</span>;
  return (
    <div>
      <Link to={`/admin/users/${person.id}`}>{person.name ?? t("audit.gone")}</Link>
      {person.email !== null && <span className={list.sub}>{person.email}</span>}
    </div>
  );
}

/** Everything an entry holds. */
function Details({ entry }: { entry: AuditEntry }) {
  const facts: [string, string | null | undefined][] = [
    [t("audit.action"), entry.action],
    [t("audit.team"), entry.team?.name ?? entry.team?.id],
    [t("audit.about"), [entry.object_kind, entry.object_id].filter(Boolean).join(" ")],
    [t("audit.network"), entry.network],
    ...Object.entries(entry.details).map(([name, value]): [string, string] => [
      name.replaceAll("_", " "),
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value != null && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** The moment at which a local day begins, as the server takes it. */
const startOf = (date: string, after = 0): string => {
  if (date === "") return "";
  const start = new Date(`${date}T00:00`);
  start.setDate(start.getDate() + after);
  return start.toISOString();
};

/** What people and administrators did. Nothing here can be changed. */
export default function AuditPage() {
  usePageTitle(t("audit.title"));
  const { get, getAll, set } = useFilters();
  const values = {
    actor: get("actor"),
    subject: get("subject"),
    actor_id: get("actor_id"),
    subject_id: get("subject_id"),
    team_id: get("team_id"),
    action: getAll("action"),
    since: startOf(get("from")),
    until: startOf(get("to"), 1),
  };
  const { data, error, mutate } = useAdminList<AuditEntry>(AUDIT, { ...values, page: get("page") });
  const hasId = [values.actor_id, values.subject_id, values.team_id].some((id) => id !== "");
  return (
    <>
      <AdminHead
        title={t("audit.auditLog")}
        count={
          data && countedUpTo(data.meta.total, (count) => t("audit.countedEntries", { count }))
        }
        csv={listUrl(AUDIT, { ...values, format: "csv" })}
      />
      <search className={list.filters}>
        <SearchBox
          label={t("audit.byFilter")}
          width={220}
          value={values.actor}
          onChange={(actor) => set({ actor })}
        />
        <SearchBox
          label={t("audit.accountFilter")}
          width={240}
          value={values.subject}
          onChange={(subject) => set({ subject })}
        />
        <MultiSelect
          aria-label={t("audit.actions")}
          placeholder={values.action.length === 0 ? t("audit.anyAction") : undefined}
          data={SUBJECTS}
          value={values.action}
          clearable
          w={220}
          onChange={(action) => set({ action })}
        />
        <TextInput
          type="date"
          label={t("audit.from")}
          value={get("from")}
          onChange={({ currentTarget }) => set({ from: currentTarget.value })}
        />
        <TextInput
          type="date"
          label={t("audit.upTo")}
          value={get("to")}
          onChange={({ currentTarget }) => set({ to: currentTarget.value })}
        />
        {hasId && (
          <Button
            variant="light"
            onClick={() => set({ actor_id: null, subject_id: null, team_id: null })}
          >
            {t("audit.showAll")}
          </Button>
        )}
      </search>
      <AdminTable
        name={t("audit.entriesName")}
        page={data}
        error={error}
        columns={COLUMNS}
        rowKey={(entry) => entry.id}
        onPage={(page) => set({ page: String(page) })}
        onRetry={() => void mutate()}
      />
    </>
  );
}
