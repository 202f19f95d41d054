import { Progress } from "@mantine/core";
import { t } from "../../platform/messages/ledger";
import { bytes } from "../../domain/files/format";
import type { Balance } from "./data";
import { date, minutes } from "./words";
import styles from "./ledger.module.css";

/** What is left of minutes, storage and seats. */
export function BalanceCard({ balance }: { balance: Balance }) {
  return (
    <section className={`card ${styles.balance}`} aria-label={t("left.title")}>
      <Minutes balance={balance} />
      {balance.storage_limit !== null && (
        <Share
          title={t("storage")}
          words={t("storage.used", {
            storageUsed: bytes(balance.storage_used),
            storageLimit: bytes(balance.storage_limit),
          })}
          used={balance.storage_used}
          limit={balance.storage_limit}
        />
      )}
      {balance.seats_limit !== null && balance.seats_limit > 1 && (
        <Share
          title={t("seats")}
          words={t("seats.taken", {
            seatsUsed: balance.seats_used,
            seatsLimit: balance.seats_limit,
          })}
          used={balance.seats_used}
          limit={balance.seats_limit}
        />
      )}
    </section>
  );
}

function Minutes({ balance }: { balance: Balance }) {
  const { included, available, held, spent, renews_at } = balance;
  if (included === null || available === null) {
    return (
      <div className={styles.share}>
        <p className={styles.big} data-testid="minutes-left">
          {t("noLimit")}
        </p>
        <p className="quiet">{balance.is_enforced ? t("contract.unlimited") : t("plans.off")}</p>
      </div>
    );
  }
  const part = (seconds: number) => (included === 0 ? 0 : (seconds / included) * 100);
  return (
    <div className={styles.share}>
      <p className={styles.big} data-testid="minutes-left">
        {minutes(available)}{" "}
        <span className="quiet">{t("left.ofIncluded", { included: minutes(included) })}</span>
      </p>
      <Progress.Root size={12} aria-label={t("minutes")}>
        <Progress.Section
          value={part(spent)}
          color="spruce"
          aria-label={t("spentUsed", { spent: minutes(spent) })}
        />
        <Progress.Section
          value={part(held)}
          color="orange"
          striped
          aria-label={t("heldReserved", { held: minutes(held) })}
        />
      </Progress.Root>
      <p className="quiet">
        {t(renews_at === null ? "left.spent" : "left.renews", {
          spent: minutes(spent),
          held: minutes(held),
          plan: balance.plan,
          renewsAt: renews_at === null ? null : date(renews_at),
        })}
      </p>
    </div>
  );
}

interface ShareProps {
  title: string;
  words: string;
  used: number;
  limit: number;
}

function Share({ title, words, used, limit }: ShareProps) {
  const percent = limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  return (
    <div className={styles.share}>
      <p className={styles.shareTitle}>
        <span>{title}</span>
        <span className="quiet tabular">{words}</span>
      </p>
      <Progress
        value={percent}
        size={8}
        color={percent >= 90 ? "orange" : "spruce"}
        aria-label={`${title}: ${words}`}
      />
    </div>
  );
}
