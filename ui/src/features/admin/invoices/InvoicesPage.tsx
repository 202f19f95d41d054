import { Button, MultiSelect, Select, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/admin";
import { dateFormat } from "../../../platform/i18n/dates";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { IconPlus } from "../../../platform/theme/icons";
import { AdminHead } from "../list/AdminHead";
import { AdminTable, type Column } from "../list/AdminTable";
import { SearchBox } from "../list/SearchBox";
import { listUrl, useAdminList } from "../list/useAdminList";
import { useFilters } from "../list/useFilters";
import { countedUpTo, day, money } from "../list/words";
import list from "../list/list.module.css";
import { DraftDialog } from "./DraftDialog";
import { InvoiceDrawer } from "./InvoiceDrawer";
import { InvoiceState, STATES } from "./InvoiceState";
import { Totals } from "./Totals";
import { INVOICES, months, pdfUrl, type Invoice } from "./data";
import styles from "./invoices.module.css";

const SOURCES = [
  { value: "stripe", label: t("invoices.subscriptions") },
  { value: "contract", label: t("invoices.contracts") },
];

/** Invoices of subscriptions and contracts; those of contracts are written here. */
export default function InvoicesPage() {
  usePageTitle(t("invoices.title"));
  const { get, getAll, set } = useFilters();
  const [drafting, setDrafting] = useState(false);
  const values = {
    q: get("q"),
    month: get("month"),
    source: getAll("source"),
    state: getAll("state"),
  };
  const { data, error, mutate } = useAdminList<Invoice>(INVOICES, { ...values, page: get("page") });
  const open = (id: string | null) => set({ invoice: id, page: get("page") });
  return (
    <>
      <AdminHead
        title={t("invoices.invoices")}
        count={
          data && countedUpTo(data.meta.total, (count) => t("invoices.countedInvoices", { count }))
        }
        csv={listUrl(INVOICES, { ...values, format: "csv" })}
      >
        <Button leftSection={<IconPlus size={17} />} onClick={() => setDrafting(true)}>
          {t("invoices.draft.title")}
        </Button>
      </AdminHead>
      <Totals />
      <search className={list.filters}>
        <SearchBox label={t("invoices.search")} value={get("q")} onChange={(q) => set({ q })} />
        <Select
          aria-label={t("invoices.month")}
          placeholder={t("invoices.anyMonth")}
          data={months(new Date())}
          value={get("month") || null}
          clearable
          w={180}
          onChange={(month) => set({ month })}
        />
        <MultiSelect
          aria-label={t("invoices.source")}
          placeholder={getAll("source").length === 0 ? t("invoices.anySource") : undefined}
          data={SOURCES}
          value={getAll("source")}
          clearable
          miw={150}
          onChange={(source) => set({ source })}
        />
        <MultiSelect
          aria-label={t("invoices.state")}
          placeholder={getAll("state").length === 0 ? t("invoices.anyState") : undefined}
          data={Object.entries(STATES).map(([value, { words }]) => ({ value, label: words }))}
          value={getAll("state")}
          clearable
          miw={150}
          onChange={(state) => set({ state })}
        />
      </search>
      <AdminTable
        name={t("invoices.invoicesName")}
        page={data}
        error={error}
        columns={columns(open)}
        rowKey={({ id }) => id}
        onPage={(page) => set({ page: String(page) })}
        onRetry={() => void mutate()}
      />
      <DraftDialog opened={drafting} onClose={() => setDrafting(false)} />
      <InvoiceDrawer id={get("invoice")} onClose={() => open(null)} />
    </>
  );
}

const columns = (open: (id: string) => void): Column<Invoice>[] => [
  {
    label: t("invoices.invoice"),
    cell: (invoice) => (
      <div>
        <UnstyledButton className={styles.name} onClick={() => open(invoice.id)}>
          {invoice.number ?? t("invoices.draft")}
        </UnstyledButton>
        <span className={list.sub}>
          {invoice.source === "stripe" ? t("invoices.subscription") : t("invoices.contract")}
        </span>
      </div>
    ),
  },
  {
    label: t("invoices.customer"),
    cell: (invoice) => (
      <div>
        {invoice.customer_name}
        <span className={list.sub}>{invoice.customer_email}</span>
      </div>
    ),
  },
  {
    label: t("invoices.state"),
    cell: (invoice) => (
      <div>
        <InvoiceState invoice={invoice} />
      </div>
    ),
  },
  {
    label: t("invoices.period"),
    cell: ({ period_start }) => (period_start ? monthOf(period_start) : "–"),
  },
  { label: t("invoices.issued"), cell: ({ issued_at }) => (issued_at ? day(issued_at) : "–") },
  { label: t("invoices.due"), cell: ({ due_at }) => (due_at ? day(due_at) : "–") },
  {
    label: t("invoices.total"),
    numeric: true,
    cell: ({ total, currency }) => money(total, currency),
  },
  {
    label: "PDF",
    cell: ({ id, number }) => (
      <a
        href={pdfUrl(id)}
        download
        aria-label={t("invoices.pdf", { number: number ?? t("invoices.theDraft") })}
      >
        PDF
      </a>
    ),
  },
];

const monthOf = dateFormat({ month: "short", year: "numeric", timeZone: "UTC" });
