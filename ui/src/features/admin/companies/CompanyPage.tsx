import { Badge, Button, Title } from "@mantine/core";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { t } from "../../../platform/messages/admin";
import { EmptyState } from "../../../platform/page/EmptyState";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { IconArrowLeft, IconRestore, IconTrash } from "../../../platform/theme/icons";
import { toast } from "../../../platform/notices/toast";
import { money } from "../list/words";
import styles from "../users/users.module.css";
import { AssignCard } from "./AssignCard";
import { CompanyForm } from "./CompanyForm";
import { assign, changeCompany, deleteCompany, restoreCompany, useCompany } from "./data";

/** One company: what we know about it, and who belongs to it. */
export default function CompanyPage() {
  usePageTitle(t("companies.title"));
  const { id = "" } = useParams();
  const { data: company, error, mutate } = useCompany(id);
  const [busy, setBusy] = useState(false);
  if (company === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title={t("companies.loadFailed")}
        description={error.message}
        add={{ label: t("companies.tryAgain"), contentType: "company", onAdd: () => void mutate() }}
      />
    );
  }
  const isDeleted = company.deleted_at !== null;
  const attempt = async (call: () => Promise<unknown>, done: string) => {
    setBusy(true);
    try {
      await call();
      toast("success", done);
    } catch (problem) {
      toast("error", (problem as Error).message);
    }
    await mutate();
    setBusy(false);
  };
  return (
    <div className={styles.page}>
      <Link to="/admin/companies" className={styles.back}>
        <IconArrowLeft size={16} aria-hidden="true" /> {t("companies.companies")}
      </Link>
      <header className={styles.head}>
        <div>
          <Title order={1}>{company.name}</Title>
          <p className="quiet">
            {t("companies.userCount", { users: company.users })},{" "}
            {t("companies.teamCount", { teams: company.teams })}
            {company.contracts > 0 &&
              t("companies.contractTotal", { priceMonthly: money(company.price_monthly) })}
          </p>
          {isDeleted && <Badge color="red">{t("companies.deleted")}</Badge>}
        </div>
        {isDeleted ? (
          <Button
            leftSection={<IconRestore size={17} />}
            loading={busy}
            onClick={() => void attempt(() => restoreCompany(id), t("companies.restored"))}
          >
            {t("companies.restoreCompany")}
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<IconTrash size={17} />}
            loading={busy}
            onClick={() => void attempt(() => deleteCompany(id), t("companies.delete.done"))}
          >
            {t("companies.deleteCompany")}
          </Button>
        )}
      </header>
      <section className={`card ${styles.section}`} aria-labelledby="company">
        <Title order={2} id="company">
          {t("companies.company")}
        </Title>
        <CompanyForm
          key={company.id}
          company={company}
          verb={t("companies.save")}
          disabled={isDeleted}
          onSave={(change) => changeCompany(id, change)}
          onSaved={(saved) => {
            void mutate(saved, { revalidate: false });
            toast("success", t("companies.saved"));
          }}
        />
      </section>
      <div className={styles.columns}>
        <AssignCard
          title={t("companies.users")}
          what="users"
          disabled={isDeleted || busy}
          rows={company.user_list.map((user) => ({
            id: user.id,
            name: user.name,
            hint: user.has_contract
              ? t("companies.contractOf", {
                  email: user.email,
                  priceMonthly: money(user.price_monthly),
                })
              : user.email,
            link: `/admin/users/${user.id}`,
          }))}
          onAdd={(who) => attempt(() => assign(id, "users", { add: [who] }), t("companies.added"))}
          onRemove={(who) =>
            attempt(() => assign(id, "users", { remove: [who] }), t("companies.removed"))
          }
        />
        <AssignCard
          title={t("companies.teams")}
          what="teams"
          disabled={isDeleted || busy}
          rows={company.team_list.map((team) => ({
            id: team.id,
            name: team.name,
            hint: t("companies.members", { members: team.members }),
          }))}
          onAdd={(team) =>
            attempt(() => assign(id, "teams", { add: [team] }), t("companies.added"))
          }
          onRemove={(team) =>
            attempt(() => assign(id, "teams", { remove: [team] }), t("companies.removed"))
          }
        />
      </div>
    </div>
  );
}
