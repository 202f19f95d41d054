import { Group, Title } from "@mantine/core";
import { Link } from "react-router";
import { MinutesLink } from "../../ledger/MinutesLink";
import { bytes, counted, day, duration } from "../list/words";
import type { AdminUserDetail } from "./data";
import styles from "./users.module.css";

/** What the account holds, and where its owner is signed in. */
export function UsageCard({ user }: { user: AdminUserDetail }) {
  const owned = `/admin/contents?owner=${encodeURIComponent(user.email)}`;
  return (
    <section className={`card ${styles.section}`} aria-labelledby="usage">
      <Group justify="space-between">
        <Title order={2} id="usage">
          Usage
        </Title>
        <MinutesLink whose={{ payer: user.id }} />
      </Group>
      <dl className={styles.facts}>
        <dt>Files</dt>
        <dd>
          <Link to={owned}>{counted(user.files, "file")}</Link>, {bytes(user.file_bytes)}
        </dd>
        <dt>Sound</dt>
        <dd>{duration(user.file_seconds)}</dd>
        <dt>Failed</dt>
        <dd>
          {user.failed_files === 0 ? (
            "None"
          ) : (
            <Link to={`${owned}&status=failed`}>{counted(user.failed_files, "file")}</Link>
          )}
        </dd>
        <dt>Signed in</dt>
        <dd>
          {user.session_list.length === 0
            ? "Nowhere"
            : `${counted(user.session_list.length, "browser")}, the newest since ${day(
                user.session_list[0]?.created_at ?? user.created_at,
              )}`}
        </dd>
      </dl>
    </section>
  );
}
