import { Button, Modal, Switch } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useSWRConfig } from "swr";
import { keys, staleBy } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/admin";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { IconPlus } from "../../../platform/theme/icons";
import { AdminHead } from "../list/AdminHead";
import { AdminTable, type Column } from "../list/AdminTable";
import { SearchBox } from "../list/SearchBox";
import { listUrl, useAdminList } from "../list/useAdminList";
import { useFilters } from "../list/useFilters";
import { day, money } from "../list/words";
import list from "../list/list.module.css";
import { CompanyForm } from "./CompanyForm";
import { COMPANIES, createCompany, type Company } from "./data";

const COLUMNS: Column<Company>[] = [
  {
    label: t("companies.name"),
    sort: "name",
    cell: (company) => (
      <div>
        <Link to={`/admin/companies/${company.id}`}>{company.name}</Link>
        <span className={list.sub}>{company.registration_number ?? t("companies.noNumber")}</span>
      </div>
    ),
  },
  {
    label: t("companies.contact"),
    cell: (company) => (
      <div>
        {company.contact ?? <span className="quiet">{t("companies.none")}</span>}
        {company.email != null && <span className={list.sub}>{company.email}</span>}
      </div>
    ),
  },
  { label: t("companies.users"), numeric: true, cell: (company) => company.users },
  { label: t("companies.teams"), numeric: true, cell: (company) => company.teams },
  {
    label: t("companies.contracts"),
    numeric: true,
    cell: (company) =>
      company.contracts === 0
        ? t("companies.none")
        : t("companies.price", { priceMonthly: money(company.price_monthly) }),
  },
  { label: t("companies.since"), sort: "created_at", cell: (company) => day(company.created_at) },
];

/** Every company. */
export default function CompaniesPage() {
  usePageTitle(t("companies.title"));
  const { get, set } = useFilters();
  const values = { q: get("q"), deleted: get("deleted"), sort: get("sort") };
  const { data, error, mutate } = useAdminList<Company>(COMPANIES, {
    ...values,
    page: get("page"),
  });
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  const { mutate: mutateAll } = useSWRConfig();
  const isFiltered = values.q !== "" || values.deleted !== "";
  return (
    <>
      <AdminHead
        title={t("companies.companies")}
        count={data && t("companies.total", { total: data.meta.total })}
        csv={listUrl(COMPANIES, { ...values, format: "csv" })}
      >
        <Button leftSection={<IconPlus size={17} />} onClick={() => setOpen(true)}>
          {t("companies.createCompany")}
        </Button>
      </AdminHead>
      <search className={list.filters}>
        <SearchBox
          label={t("companies.searchCompanies")}
          value={values.q}
          onChange={(q) => set({ q })}
        />
        <Switch
          label={t("companies.deleted")}
          checked={values.deleted === "true"}
          onChange={({ currentTarget }) => set({ deleted: currentTarget.checked ? "true" : null })}
        />
      </search>
      <AdminTable
        name={t("companies.companiesName")}
        page={data}
        error={error}
        columns={COLUMNS}
        rowKey={(company) => company.id}
        sort={values.sort || "name"}
        onSort={(sort) => set({ sort })}
        onPage={(page) => set({ page: String(page) })}
        onRetry={() => void mutate()}
        empty={isFiltered ? undefined : t("companies.emptyHint")}
      />
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t("companies.createCompany")}
        size="lg"
      >
        <CompanyForm
          verb={t("companies.createCompany")}
          onSave={createCompany}
          onCancel={() => setOpen(false)}
          onSaved={(company) => {
            void mutateAll(staleBy(keys.admin));
            void navigate(`/admin/companies/${company.id}`);
          }}
        />
      </Modal>
    </>
  );
}
