import { Badge, Button, MultiSelect, Select } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../../platform/messages/admin";
import { formatLocale } from "../../../platform/i18n/locale";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { IconUserPlus } from "../../../platform/theme/icons";
import { AdminHead } from "../list/AdminHead";
import { AdminTable, type Column } from "../list/AdminTable";
import { SearchBox } from "../list/SearchBox";
import { listUrl, useAdminList } from "../list/useAdminList";
import { useFilters } from "../list/useFilters";
import { countedUpTo, day } from "../list/words";
import list from "../list/list.module.css";
import { PlanBadge } from "./PlanBadge";
import { PLANS, USERS, type AdminUser } from "./data";

const STATES = [
  { value: "verified=true", label: t("users.email.confirmed") },
  { value: "verified=false", label: t("users.email.unconfirmed") },
  { value: "admin=true", label: t("users.administrators") },
  { value: "deleted=true", label: t("users.deleted") },
];

const COLUMNS: Column<AdminUser>[] = [
  {
    label: t("users.name"),
    sort: "name",
    cell: (user) => (
      <div>
        <Link to={`/admin/users/${user.id}`}>{user.name}</Link>
        <span className={list.sub}>{user.email}</span>
      </div>
    ),
  },
  { label: t("users.plan"), cell: (user) => <PlanBadge plan={user.plan} /> },
  {
    label: t("users.company"),
    cell: (user) =>
      user.company === null ? (
        <span className="quiet">{t("users.none")}</span>
      ) : (
        <Link to={`/admin/companies/${user.company.id}`}>{user.company.name}</Link>
      ),
  },
  {
    label: t("users.teams"),
    numeric: true,
    cell: (user) => user.teams.toLocaleString(formatLocale),
  },
  {
    label: t("users.files"),
    numeric: true,
    cell: (user) => user.files.toLocaleString(formatLocale),
  },
  { label: t("users.since"), sort: "created_at", cell: (user) => day(user.created_at) },
  { label: t("users.state"), cell: (user) => <States user={user} /> },
];

export function States({ user }: { user: AdminUser }) {
  return (
    <span>
      {user.is_admin && <Badge color="spruce">{t("users.admin")}</Badge>}{" "}
      {user.deleted_at !== null && <Badge color="red">{t("users.deleted")}</Badge>}{" "}
      {user.deleted_at === null && user.suspended_at !== null && (
        <Badge color="gray">{t("users.suspended")}</Badge>
      )}{" "}
      {user.deleted_at === null && !user.email_verified && (
        <Badge color="yellow" variant="light">
          {t("users.unconfirmed")}
        </Badge>
      )}
    </span>
  );
}

/** Everybody with an account. */
export default function UsersPage() {
  usePageTitle(t("users.title"));
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
        title={t("users.users")}
        count={data && countedUpTo(data.meta.total, (count) => t("users.countedUsers", { count }))}
        csv={listUrl(USERS, { ...values, format: "csv" })}
      >
        <Button component={Link} to="/admin/users/create" leftSection={<IconUserPlus size={17} />}>
          {t("users.createUser")}
        </Button>
      </AdminHead>
      <search className={list.filters}>
        <SearchBox label={t("users.search")} value={values.q} onChange={(q) => set({ q })} />
        <MultiSelect
          aria-label={t("users.plan")}
          placeholder={values.plan.length === 0 ? t("users.anyPlan") : undefined}
          data={PLANS}
          value={values.plan}
          clearable
          w={230}
          onChange={(plan) => set({ plan })}
        />
        <Select
          aria-label={t("users.state")}
          placeholder={t("users.anyState")}
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
        name={t("users.usersName")}
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
