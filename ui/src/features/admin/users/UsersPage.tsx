import { Badge, Button, MultiSelect, Select } from "@mantine/core";
import { Link } from "react-router";
import { usePageTitle } from "../../../layouts/usePageTitle";
import { IconUserPlus } from "../../../theme/icons";
import { AdminHead } from "../list/AdminHead";
import { AdminTable, type Column } from "../list/AdminTable";
import { SearchBox } from "../list/SearchBox";
import { listUrl, useAdminList } from "../list/useAdminList";
import { useFilters } from "../list/useFilters";
import { countedUpTo, day } from "../list/words";
import list from "../list/list.module.css";
import { PLANS, planLabel, USERS, type AdminUser } from "./data";

const STATES = [
  { value: "verified=true", label: "Confirmed e-mail" },
  { value: "verified=false", label: "Unconfirmed e-mail" },
  { value: "admin=true", label: "Administrators" },
  { value: "deleted=true", label: "Deleted" },
];

const COLUMNS: Column<AdminUser>[] = [
  {
    label: "Name",
    sort: "name",
    cell: (user) => (
      <div>
        <Link to={`/admin/users/${user.id}`}>{user.name}</Link>
        <span className={list.sub}>{user.email}</span>
      </div>
    ),
  },
  { label: "Plan", cell: (user) => planLabel(user.plan) },
  {
    label: "Company",
    cell: (user) =>
      user.company === null ? (
        <span className="quiet">None</span>
      ) : (
        <Link to={`/admin/companies/${user.company.id}`}>{user.company.name}</Link>
      ),
  },
  { label: "Teams", numeric: true, cell: (user) => user.teams.toLocaleString("en") },
  { label: "Files", numeric: true, cell: (user) => user.files.toLocaleString("en") },
  { label: "Since", sort: "created_at", cell: (user) => day(user.created_at) },
  { label: "State", cell: (user) => <States user={user} /> },
];

export function States({ user }: { user: AdminUser }) {
  return (
    <span>
      {user.is_admin && <Badge color="spruce">Admin</Badge>}{" "}
      {user.deleted_at !== null && <Badge color="red">Deleted</Badge>}{" "}
      {user.deleted_at === null && !user.email_verified && (
        <Badge color="yellow" variant="light">
          Unconfirmed
        </Badge>
      )}
    </span>
  );
}

/** Everybody with an account. */
export default function UsersPage() {
  usePageTitle("Admin - Users Management");
  const { get, getAll, set } = useFilters();
  const values = {
    q: get("q"),
    plan: getAll("plan"),
    verified: get("verified"),
    admin: get("admin"),
    deleted: get("deleted"),
    sort: get("sort"),
  };
  const { data, error, mutate } = useAdminList<AdminUser>(USERS, { ...values, page: get("page") });
  const state = STATES.find(({ value }) => {
    const [name = "", wanted] = value.split("=");
    return get(name) === wanted;
  });
  return (
    <>
      <AdminHead
        title="Users"
        count={data && countedUpTo(data.meta.total, "user")}
        csv={listUrl(USERS, { ...values, format: "csv" })}
      >
        <Button component={Link} to="/admin/users/create" leftSection={<IconUserPlus size={17} />}>
          Create user
        </Button>
      </AdminHead>
      <search className={list.filters}>
        <SearchBox label="Search name or e-mail" value={values.q} onChange={(q) => set({ q })} />
        <MultiSelect
          aria-label="Plan"
          placeholder={values.plan.length === 0 ? "Any plan" : undefined}
          data={PLANS}
          value={values.plan}
          clearable
          w={230}
          onChange={(plan) => set({ plan })}
        />
        <Select
          aria-label="State"
          placeholder="Any state"
          data={STATES}
          value={state?.value ?? null}
          clearable
          w={190}
          onChange={(value) => {
            const [name = "", wanted = ""] = (value ?? "").split("=");
            set({ verified: null, admin: null, deleted: null, ...(name && { [name]: wanted }) });
          }}
        />
      </search>
      <AdminTable
        name="users"
        page={data}
        error={error}
        columns={COLUMNS}
        rowKey={(user) => user.id}
        sort={values.sort || "-created_at"}
        onSort={(sort) => set({ sort })}
        onPage={(page) => set({ page: String(page) })}
        onRetry={() => void mutate()}
      />
    </>
  );
}
