import { Button, Modal, Switch } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useSWRConfig } from "swr";
import { keys, staleBy } from "../../../api/keys";
import { usePageTitle } from "../../../layouts/usePageTitle";
import { IconPlus } from "../../../theme/icons";
import { AdminHead } from "../list/AdminHead";
import { AdminTable, type Column } from "../list/AdminTable";
import { SearchBox } from "../list/SearchBox";
import { listUrl, useAdminList } from "../list/useAdminList";
import { useFilters } from "../list/useFilters";
import { counted, day, money } from "../list/words";
import list from "../list/list.module.css";
import { CompanyForm } from "./CompanyForm";
import { COMPANIES, createCompany, type Company } from "./data";

const COLUMNS: Column<Company>[] = [
  {
    label: "Name",
    sort: "name",
    cell: (company) => (
      <div>
        <Link to={`/admin/companies/${company.id}`}>{company.name}</Link>
        <span className={list.sub}>{company.registration_number ?? "No registration number"}</span>
      </div>
    ),
  },
  {
    label: "Contact",
    cell: (company) => (
      <div>
        {company.contact ?? <span className="quiet">None</span>}
        {company.email != null && <span className={list.sub}>{company.email}</span>}
      </div>
    ),
  },
  { label: "Users", numeric: true, cell: (company) => company.users },
  { label: "Teams", numeric: true, cell: (company) => company.teams },
  {
    label: "Contracts",
    numeric: true,
    cell: (company) =>
      company.contracts === 0 ? "None" : `${money(company.price_monthly)} a month`,
  },
  { label: "Since", sort: "created_at", cell: (company) => day(company.created_at) },
];

/** Every company. */
export default function CompaniesPage() {
  usePageTitle("Admin - Companies Management");
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
        title="Companies"
        count={data && counted(data.meta.total, "company", "companies")}
        csv={listUrl(COMPANIES, { ...values, format: "csv" })}
      >
        <Button leftSection={<IconPlus size={17} />} onClick={() => setOpen(true)}>
          Create company
        </Button>
      </AdminHead>
      <search className={list.filters}>
        <SearchBox label="Search companies" value={values.q} onChange={(q) => set({ q })} />
        <Switch
          label="Deleted"
          checked={values.deleted === "true"}
          onChange={({ currentTarget }) => set({ deleted: currentTarget.checked ? "true" : null })}
        />
      </search>
      <AdminTable
        name="companies"
        page={data}
        error={error}
        columns={COLUMNS}
        rowKey={(company) => company.id}
        sort={values.sort || "name"}
        onSort={(sort) => set({ sort })}
        onPage={(page) => set({ page: String(page) })}
        onRetry={() => void mutate()}
        empty={
          isFiltered
            ? undefined
            : "Create one for customers with several accounts or teams, or with a contract."
        }
      />
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Create company" size="lg">
        <CompanyForm
          verb="Create company"
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
