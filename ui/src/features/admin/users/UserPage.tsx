import { Title } from "@mantine/core";
import { Link, useParams } from "react-router";
import { t } from "../../../platform/messages/admin";
import { EmptyState } from "../../../platform/page/EmptyState";
import { usePageTitle } from "../../../platform/page/usePageTitle";
import { IconArrowLeft } from "../../../platform/theme/icons";
import { moment } from "../list/words";
import { ContractCard } from "./ContractCard";
import { useUser } from "./data";
import { GrantsCard } from "./GrantsCard";
import { MembersCard } from "./MembersCard";
import { ProfileCard } from "./ProfileCard";
import { UsageCard } from "./UsageCard";
import { UserActions } from "./UserActions";
import { UserLog } from "./UserLog";
import { States } from "./UsersPage";
import styles from "./users.module.css";

/** One account: what it is, uses and pays, who works with it, and what happened to it. */
export default function UserPage() {
  usePageTitle(t("users.title"));
  const { id = "" } = useParams();
  const { data: user, error, mutate } = useUser(id);
  if (user === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title={t("users.loadFailed")}
        description={error.message}
        add={{ label: t("users.tryAgain"), contentType: "user", onAdd: () => void mutate() }}
      />
    );
  }
  const update = (changed: typeof user) => void mutate(changed, { revalidate: false });
  return (
    <div className={styles.page}>
      <Link to="/admin/users" className={styles.back}>
        <IconArrowLeft size={16} aria-hidden="true" /> {t("users.users")}
      </Link>
      <header className={styles.head}>
        <div>
          <Title order={1}>{user.name}</Title>
          <p className="quiet">
            {t("users.subtitle", { email: user.email, createdAt: moment(user.created_at) })}
          </p>
          <States user={user} />
        </div>
        <UserActions user={user} onChange={update} onReload={() => void mutate()} />
      </header>
      <div className={styles.columns}>
        <ProfileCard key={`profile ${user.id}`} user={user} onChange={update} />
        <ContractCard user={user} onChange={update} />
        <UsageCard user={user} />
        <GrantsCard user={user} />
        <MembersCard user={user} />
      </div>
      <UserLog user={user} />
    </div>
  );
}
