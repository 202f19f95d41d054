import { Button, MultiSelect, Select, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/i18n/en/adminInvoices";
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
  { value: "stripe", label: t("subscriptions") },
  { value: "contract", label: t("contracts") },
];

/** Invoices of subscriptions and contracts; those of contracts are written here. */
export default function InvoicesPage() {
  usePageTitle(t("adminInvoicesManagement"));
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
        title={t("invoices")}
        count={data && countedUpTo(data.meta.total, (count) => t("countedInvoices", { count }))}
        csv={listUrl(INVOICES, { ...values, format: "csv" })}
      >
        <Button leftSection={<IconPlus size={17} />} onClick={() => setDrafting(true)}>
          {t("draftContractInvoices")}
        </Button>
      </AdminHead>
      <Totals />
      <search className={list.filters}>
        <SearchBox label={t("numberNameOrAddress")} value={get("q")} onChange={(q) => set({ q })} />
        <Select
          aria-label={t("month")}
          placeholder={t("anyMonth")}
          data={months(new Date())}
          value={get("month") || null}
          clearable
          w={180}
          onChange={(month) => set({ month })}
        />
        <MultiSelect
          aria-label={t("source")}
          placeholder={getAll("source").length === 0 ? t("anySource") : undefined}
          data={SOURCES}
          value={getAll("source")}
          clearable
          miw={150}
          onChange={(source) => set({ source })}
        />
        <MultiSelect
          aria-label={t("state")}
          placeholder={getAll("state").length === 0 ? t("anyState") : undefined}
          data={Object.entries(STATES).map(([value, { words }]) => ({ value, label: words }))}
          value={getAll("state")}
          clearable
          miw={150}
          onChange={(state) => set({ state })}
        />
      </search>
      <AdminTable
        name={t("invoicesName")}
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
    label: t("invoice"),
    cell: (invoice) => (
      <div>
        <UnstyledButton className={styles.name} onClick={() => open(invoice.id)}>
          {invoice.number ?? t("draft")}
        </UnstyledButton>
        <span className={list.sub}>
          {invoice.source === "stripe" ? t("subscription") : t("contract")}
        </span>
      </div>
    ),
  },
  {
    label: t("customer"),
    cell: (invoice) => (
      <div>
        {invoice.customer_name}
        <span className={list.sub}>{invoice.customer_email}</span>
      </div>
    ),
  },
  {
    label: t("state"),
    cell: (invoice) => (
      <div>
        <InvoiceState invoice={invoice} />
      </div>
    ),
  },
  { label: t("period"), cell: ({ period_start }) => (period_start ? monthOf(period_start) : "–") },
  { label: t("issued"), cell: ({ issued_at }) => (issued_at ? day(issued_at) : "–") },
  { label: t("due"), cell: ({ due_at }) => (due_at ? day(due_at) : "–") },
  {
    label: t("total"),
    numeric: true,
    cell: ({ total, currency }) => money(total, currency),
  },
  {
    label: "PDF",
    cell: ({ id, number }) => (
      <a
        href={pdfUrl(id)}
        download
        aria-label={t("pdfOfNumber", { number: number ?? t("theDraft") })}
      >
        PDF
      </a>
    ),
  },
];

const monthOf = dateFormat({ month: "short", year: "numeric", timeZone: "UTC" });
