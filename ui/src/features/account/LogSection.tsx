import { Badge, Pagination, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/account";
import { EmptyState } from "../../platform/page/EmptyState";
import { day } from "../../domain/files/format";
import { LOG_PER_PAGE, useAccountLog } from "./data";
import styles from "./account.module.css";

/** What happened to the account, the newest first, with what support did. */
export default function LogSection() {
  const [page, setPage] = useState(1);
  const { data: log, error, mutate } = useAccountLog(page);
  if (log === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title={t("log.loadFailed")}
        description={error.message}
        add={{ label: t("tryAgain"), contentType: "log", onAdd: () => void mutate() }}
      />
    );
  }
  if (log.data.length === 0 && page === 1) {
    return <EmptyState loading={false} title={t("nothingYet")} description={t("log.about")} />;
  }
  const pages = Math.ceil(log.meta.total / LOG_PER_PAGE);
  return (
    <section className={`card ${styles.card}`} aria-label={t("accountLog")}>
      <ul className={styles.rows}>
        {log.data.map((entry) => (
          <li key={entry.id} className={styles.row}>
            <div>
              <span>{entry.sentence}</span>{" "}
              {entry.by_support && (
                <Badge variant="light" color="yellow">
                  {t("support")}
                </Badge>
              )}
              <Text size="sm" className="quiet">
                {entry.by}
                {entry.team !== null && ` · ${entry.team}`}
                {entry.network !== null && ` · ${entry.network}`}
              </Text>
            </div>
            <Text size="sm" className="quiet tabular">
              <time dateTime={entry.at}>{day(entry.at)}</time>
            </Text>
          </li>
        ))}
      </ul>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ "aria-label": t("page.label", { control }) })}
        />
      )}
    </section>
  );
}
