import { Progress } from "@mantine/core";
import { bytes } from "../files/format";
import type { Balance } from "./data";
import { date, minutes } from "./words";
import styles from "./ledger.module.css";

/** What is left of minutes, storage and seats. */
export function BalanceCard({ balance }: { balance: Balance }) {
  return (
    <section className={`card ${styles.balance}`} aria-label="What is left">
      <Minutes balance={balance} />
      {balance.storage_limit !== null && (
        <Share
          title="Storage"
          words={`${bytes(balance.storage_used)} of ${bytes(balance.storage_limit)} used`}
          used={balance.storage_used}
          limit={balance.storage_limit}
        />
      )}
      {balance.seats_limit !== null && balance.seats_limit > 1 && (
        <Share
          title="Seats"
          words={`${balance.seats_used} of ${balance.seats_limit} taken`}
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
          No limit
        </p>
        <p className="quiet">
          {balance.is_enforced
            ? "Your contract does not limit how much you transcribe."
            : "Plans are switched off on this installation. Usage is recorded below."}
        </p>
      </div>
    );
  }
  const part = (seconds: number) => (included === 0 ? 0 : (seconds / included) * 100);
  return (
    <div className={styles.share}>
      <p className={styles.big} data-testid="minutes-left">
        {minutes(available)} <span className="quiet">of {minutes(included)} left</span>
      </p>
      <Progress.Root size={12} aria-label="Minutes">
        <Progress.Section
          value={part(spent)}
          color="spruce"
          aria-label={`${minutes(spent)} used`}
        />
        <Progress.Section
          value={part(held)}
          color="orange"
          striped
          aria-label={`${minutes(held)} reserved`}
        />
      </Progress.Root>
      <p className="quiet">
        {minutes(spent)} used, {minutes(held)} reserved for files in work. {balance.plan} plan
        {renews_at === null ? "." : `, new minutes on ${date(renews_at)}.`}
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
