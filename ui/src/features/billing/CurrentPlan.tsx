import { t } from "../../platform/messages/billing";
import type { Billing, Subscription } from "./types";
import { day, money, per } from "./words";
import { Usage } from "./Usage";
import styles from "./billing.module.css";

/** The plan one has, what it costs and what is left of its minutes. */
export function CurrentPlan({ billing }: { billing: Billing }) {
  const { subscription, has_contract: hasContract } = billing;
  if (subscription === null && !hasContract) return null;
  return (
    <section className={`card ${styles.current}`} aria-label={t("currentPlan")}>
      <div className={styles.currentHead}>
        <div>
          <p className="quiet">
            {subscription?.status === "incomplete" ? t("yourOrder") : t("yourPlan")}
          </p>
          <p className={styles.planName} data-testid="plan">
            {hasContract ? "Corporate" : subscription?.label}
          </p>
        </div>
        {subscription !== null && !hasContract && (
          <p className={styles.currentPrice}>
            <b className="tabular">{money(subscription.price)}</b> {per(subscription.period)}
            {billing.discount !== null && <span>{billing.discount}</span>}
            {dueOf(subscription) !== undefined && <span>{dueOf(subscription)}</span>}
          </p>
        )}
      </div>
      {hasContract && <p className="quiet">{t("contract.about")}</p>}
      {billing.plan !== "none" && <Usage />}
    </section>
  );
}

/** When the next payment is due and what it takes. The notice above says what an unpaid order waits for. */
function dueOf(subscription: Subscription): string | undefined {
  const { status, period_start, period_end, cancel_at, renewal_amount } = subscription;
  // The period that nobody has paid for has begun already.
  if (status === "past_due" || status === "unpaid")
    return period_start === null ? undefined : t("invoices.wasDue", { day: day(period_start) });
  if (status !== "active" || period_end === null || cancel_at !== null) return undefined;
  return t("renewsOnFor", { day: day(period_end), amount: money(renewal_amount) });
}
