import { Button, Group, Loader, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/teams";
import { LOG_PAGE, useTeamLog } from "./data";
import { timeOf } from "../../platform/i18n/days";
import styles from "./teams.module.css";

/** Who did what in the team, the newest first. */
export function TeamLog({ id }: { id: string }) {
  const [page, setPage] = useState(1);
  const { data, error, mutate } = useTeamLog(id, page);
  if (data === undefined) {
    return error === undefined ? (
      <Loader aria-label={t("loading")} />
    ) : (
      <Text role="alert">
        {error.message}{" "}
        <Button size="compact-sm" onClick={() => void mutate()}>
          {t("tryAgain")}
        </Button>
      </Text>
    );
  }
  const pages = Math.max(1, Math.ceil(data.meta.total / LOG_PAGE));
  return (
    <>
      <ol className={`card ${styles.rows}`} aria-label={t("accountLog")}>
        {data.data.map((entry) => (
          <li key={entry.id} className={styles.row} data-testid="log-entry">
            <div className={styles.who}>
              <strong>{entry.sentence}</strong>
              <span>
                {entry.by} · <time dateTime={entry.at}>{timeOf(entry.at)}</time>
              </span>
            </div>
          </li>
        ))}
      </ol>
      {pages > 1 && (
        <Group mt="sm" justify="space-between">
          <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            {t("newer")}
          </Button>
          <Text className="quiet">{t("page", { page, pages })}</Text>
          <Button variant="default" disabled={page >= pages} onClick={() => setPage(page + 1)}>
            {t("older")}
          </Button>
        </Group>
      )}
    </>
  );
}
