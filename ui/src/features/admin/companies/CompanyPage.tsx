import { Badge, Button, Title } from "@mantine/core";
import { useState } from "react";
import { Link, useParams } from "react-router";
import { EmptyState } from "../../../layouts/EmptyState";
import { usePageTitle } from "../../../layouts/usePageTitle";
import { IconArrowLeft, IconRestore, IconTrash } from "../../../theme/icons";
import { toast } from "../../notifications/toast";
import { counted, money } from "../list/words";
import styles from "../users/users.module.css";
import { AssignCard } from "./AssignCard";
import { CompanyForm } from "./CompanyForm";
import { assign, changeCompany, deleteCompany, restoreCompany, useCompany } from "./data";

/** One company: what we know about it, and who belongs to it. */
export default function CompanyPage() {
  usePageTitle("Admin - Companies Management");
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
        title="This company could not be loaded"
        description={error.message}
        add={{ label: "Try again", contentType: "company", onAdd: () => void mutate() }}
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
        <IconArrowLeft size={16} aria-hidden="true" /> Companies
      </Link>
      <header className={styles.head}>
        <div>
          <Title order={1}>{company.name}</Title>
          <p className="quiet">
            {counted(company.users, "user")}, {counted(company.teams, "team")}
            {company.contracts > 0 && `, contracts of ${money(company.price_monthly)} a month`}
          </p>
          {isDeleted && <Badge color="red">Deleted</Badge>}
        </div>
        {isDeleted ? (
          <Button
            leftSection={<IconRestore size={17} />}
            loading={busy}
            onClick={() => void attempt(() => restoreCompany(id), "The company is restored.")}
          >
            Restore company
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<IconTrash size={17} />}
            loading={busy}
            onClick={() =>
              void attempt(
                () => deleteCompany(id),
                "The company is deleted. Its people keep their accounts.",
              )
            }
          >
            Delete company
          </Button>
        )}
      </header>
      <section className={`card ${styles.section}`} aria-labelledby="company">
        <Title order={2} id="company">
          Company
        </Title>
        <CompanyForm
          key={company.id}
          company={company}
          verb="Save"
          disabled={isDeleted}
          onSave={(change) => changeCompany(id, change)}
          onSaved={(saved) => {
            void mutate(saved, { revalidate: false });
            toast("success", "The company is saved.");
          }}
        />
      </section>
      <div className={styles.columns}>
        <AssignCard
          title="Users"
          what="users"
          disabled={isDeleted || busy}
          rows={company.user_list.map((user) => ({
            id: user.id,
            name: user.name,
            hint: user.has_contract
              ? `${user.email}, contract of ${money(user.price_monthly)} a month`
              : user.email,
            link: `/admin/users/${user.id}`,
          }))}
          onAdd={(who) => attempt(() => assign(id, "users", { add: [who] }), "Added.")}
          onRemove={(who) => attempt(() => assign(id, "users", { remove: [who] }), "Removed.")}
        />
        <AssignCard
          title="Teams"
          what="teams"
          disabled={isDeleted || busy}
          rows={company.team_list.map((team) => ({
            id: team.id,
            name: team.name,
            hint: counted(team.members, "member"),
          }))}
          onAdd={(team) => attempt(() => assign(id, "teams", { add: [team] }), "Added.")}
          onRemove={(team) => attempt(() => assign(id, "teams", { remove: [team] }), "Removed.")}
        />
      </div>
    </div>
  );
}
