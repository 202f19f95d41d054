import { Button, Group, Loader, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/teams";
import { LOG_PAGE, logCsvUrl, useTeamLog } from "./data";
import { timeOf } from "../../platform/i18n/days";
import { IconDownload } from "../../platform/theme/icons";
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
      <Group mt="sm">
        <Button
          component="a"
          href={logCsvUrl(id)}
          download
          variant="subtle"
          size="compact-sm"
          leftSection={<IconDownload size={15} />}
        >
          {t("log.download")}
        </Button>
      </Group>
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
