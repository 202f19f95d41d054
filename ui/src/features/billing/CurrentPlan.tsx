import { t } from "../../i18n/en/billing";
import type { Billing } from "./types";
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
          <p className="quiet">{t("yourPlan")}</p>
          <p className={styles.planName} data-testid="plan">
            {hasContract ? "Corporate" : subscription?.label}
          </p>
        </div>
        {subscription !== null && !hasContract && (
          <p className={styles.currentPrice}>
            <b className="tabular">{money(subscription.price)}</b> {per(subscription.period)}
            {billing.discount !== null && <span>{billing.discount}</span>}
            {subscription.period_end !== null && subscription.cancel_at === null && (
              <span>
                {subscription.status === "active" ? t("renews") : t("wasDue")}{" "}
                {t("onPeriodend", { periodEnd: day(subscription.period_end) })}
              </span>
            )}
          </p>
        )}
      </div>
      {hasContract && <p className="quiet">{t("yourContractSaysWhatIs")}</p>}
      {billing.plan !== "none" && <Usage />}
    </section>
  );
}
