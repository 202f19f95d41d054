import { t } from "../../platform/messages/ledger";
import type { Usage } from "./data";
import { minutes, money, payment } from "./words";
import styles from "./ledger.module.css";

/** The sum of a month, and what its invoice charges for extra minutes. */
export function MonthUsage({ usage }: { usage: Usage | undefined }) {
  if (usage === undefined || usage.lines.length === 0) return null;
  return (
    <ul className={styles.usage} aria-label={t("movements.sum")} data-testid="month-usage">
      {usage.lines.map((line) => (
        <li key={`${line.work}/${line.funding}`}>
          <span>
            {line.work_name}, {payment({ funding: line.funding, source: null }).toLowerCase()}
          </span>
          <span className="tabular">
            {minutes(line.seconds)}
            {line.cents !== 0 && ` · ${money(line.cents)}`}
          </span>
        </li>
      ))}
      <li className={styles.sum}>
        <span>{t("together")}</span>
        <span className="tabular">
          {minutes(usage.seconds)}
          {usage.extra_cents !== 0 &&
            t("movements.onInvoice", { extraCents: money(usage.extra_cents) })}
        </span>
      </li>
    </ul>
  );
}
