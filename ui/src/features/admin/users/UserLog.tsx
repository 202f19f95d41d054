import { Title } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../../platform/messages/admin";
import { AUDIT, type AuditEntry } from "../audit/data";
import { useAdminList } from "../list/useAdminList";
import { moment } from "../list/words";
import type { AdminUserDetail } from "./data";
import styles from "./users.module.css";

const NEWEST = 10;

/** The newest entries about the account. */
export function UserLog({ user }: { user: AdminUserDetail }) {
  const { data, error } = useAdminList<AuditEntry>(AUDIT, {
    subject_id: user.id,
    per_page: String(NEWEST),
  });
  return (
    <section className={`card ${styles.section}`} aria-labelledby="log">
      <div className={styles.sectionHead}>
        <Title order={2} id="log">
          {t("users.accountLog")}
        </Title>
        <Link to={`/admin/audit?subject_id=${user.id}`}>{t("users.allEntries")}</Link>
      </div>
      {error !== undefined && (
        <p role="alert" className="danger-text">
          {error.message}
        </p>
      )}
      {data?.data.length === 0 && <p className="quiet">{t("users.log.empty")}</p>}
      <ul className={styles.rows}>
        {data?.data.map((entry) => (
          <li key={entry.id}>
            <span>{entry.sentence}</span>
            <span className="quiet">
              {entry.actor === null ? "Sagascript" : (entry.actor.name ?? entry.actor.email)},{" "}
              {moment(entry.at)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
