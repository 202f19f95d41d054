import { Button, Title } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { keys, staleBy } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/admin";
import { useBalance, type Grant } from "../../ledger/data";
import { date, minutes, SOURCES } from "../../ledger/words";
import { CorrectDialog } from "./CorrectDialog";
import type { AdminUserDetail } from "./data";
import styles from "./users.module.css";

/** The minutes that pay for the account's work now, and what puts them right. */
export function GrantsCard({ user }: { user: AdminUserDetail }) {
  const { data, error, mutate } = useBalance({ payer: user.id });
  const [wrong, setWrong] = useState<Grant>();
  const { mutate: refresh } = useSWRConfig();
  return (
    <section className={`card ${styles.section}`} aria-labelledby="grants">
      <Title order={2} id="grants">
        {t("users.minutes")}
      </Title>
      {error !== undefined && data === undefined && (
        <p role="alert" className="danger-text">
          {error.message}{" "}
          <Button size="compact-sm" variant="default" onClick={() => void mutate()}>
            {t("users.tryAgain")}
          </Button>
        </p>
      )}
      {data === undefined && error === undefined && <p className="quiet">{t("users.loading")}</p>}
      {data?.grants.length === 0 && <p className="quiet">{t("users.grants.none")}</p>}
      <ul className={styles.rows}>
        {data?.grants.map((grant) => (
          <li key={grant.id ?? grant.starts_at} data-testid="grant">
            <span>
              {t("users.grants.left", {
                source: SOURCES[grant.source],
                available: minutes(grant.available),
                seconds: minutes(grant.seconds),
              })}
              <span className={styles.under}>
                {grant.expires_at === null
                  ? t("users.neverExpires")
                  : t("users.grant.until", { expiresAt: date(grant.expires_at) })}
                {grant.note !== null && ` · ${grant.note}`}
              </span>
            </span>
            {grant.source === "contract" ? (
              <span className="quiet">{t("users.grant.fromContract")}</span>
            ) : (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t("users.grant.correct", {
                  source: SOURCES[grant.source],
                  seconds: minutes(grant.seconds),
                })}
                onClick={() => setWrong(grant)}
              >
                {t("users.correct")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {wrong?.id != null && (
        <CorrectDialog
          grant={{ ...wrong, id: wrong.id }}
          name={user.name}
          onClose={() => setWrong(undefined)}
          onDone={() => {
            void refresh(staleBy(keys.ledger));
            void refresh(staleBy(keys.admin));
          }}
        />
      )}
    </section>
  );
}
