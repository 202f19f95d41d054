import { Group, Title } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../../platform/messages/admin";
import { MinutesLink } from "../../ledger/MinutesLink";
import { bytes, day, duration } from "../list/words";
import type { AdminUserDetail } from "./data";
import styles from "./users.module.css";

/** What the account holds, and where its owner is signed in. */
export function UsageCard({ user }: { user: AdminUserDetail }) {
  const owned = `/admin/contents?owner=${encodeURIComponent(user.email)}`;
  return (
    <section className={`card ${styles.section}`} aria-labelledby="usage">
      <Group justify="space-between">
        <Title order={2} id="usage">
          {t("users.usage")}
        </Title>
        <MinutesLink whose={{ payer: user.id }} />
      </Group>
      <dl className={styles.facts}>
        <dt>{t("users.files")}</dt>
        <dd>
          <Link to={owned}>{t("users.fileCount", { files: user.files })}</Link>,{" "}
          {bytes(user.file_bytes)}
        </dd>
        <dt>{t("users.sound")}</dt>
        <dd>{duration(user.file_seconds)}</dd>
        <dt>{t("users.failed")}</dt>
        <dd>
          {user.failed_files === 0 ? (
            t("users.none")
          ) : (
            <Link to={`${owned}&status=failed`}>
              {t("users.failedCount", { failedFiles: user.failed_files })}
            </Link>
          )}
        </dd>
        <dt>{t("users.signedIn")}</dt>
        <dd>
          {user.session_list.length === 0
            ? t("users.nowhere")
            : t("users.sessions", {
                sessionList: user.session_list.length,
                createdAt: day(user.session_list[0]?.created_at ?? user.created_at),
              })}
        </dd>
      </dl>
    </section>
  );
}
