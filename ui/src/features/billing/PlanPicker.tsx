import { SegmentedControl } from "@mantine/core";
import { useId } from "react";
import { t } from "../../platform/messages/billing";
import type { Period, Plan, Tier } from "./types";
import { includes, money, per, priceOf, savingOf } from "./words";
import styles from "./billing.module.css";

interface Props {
  plans: readonly Plan[];
  tier: Tier | undefined;
  period: Period;
  /** The plan one has now, if any. */
  current?: { tier: Tier; period: Period };
  compact?: boolean;
  onTier: (tier: Tier) => void;
  onPeriod: (period: Period) => void;
}

/** The plans as radio buttons, and whether to pay by the month or by the year. */
export function PlanPicker(props: Props) {
  const { plans, tier, period, current, compact = false, onTier, onPeriod } = props;
  const name = useId();
  const saving = savingOf(plans);
  return (
    <div className={styles.picker}>
      <SegmentedControl
        aria-label={t("period.label")}
        value={period}
        onChange={(value) => onPeriod(value as Period)}
        data={[
          { value: "monthly", label: t("monthly") },
          { value: "yearly", label: saving > 0 ? t("period.yearly", { saving }) : t("yearly") },
        ]}
        fullWidth={compact}
      />
      <fieldset className={compact ? styles.stack : styles.grid}>
        <legend className="visually-hidden">{t("plan")}</legend>
        {plans.map((plan) => (
          <label
            key={plan.tier}
            className={styles.plan}
            data-chosen={plan.tier === tier || undefined}
          >
            <input
              type="radio"
              name={name}
              value={plan.tier}
              checked={plan.tier === tier}
              onChange={() => onTier(plan.tier)}
            />
            <span className={styles.planHead}>
              <strong>{plan.label}</strong>
              {current?.tier === plan.tier && current.period === period && (
                <em className={styles.now}>{t("yourPlan")}</em>
              )}
            </span>
            <span className={styles.price}>
              <b className="tabular">{money(priceOf(plan, period))}</b> {per(period)}
            </span>
            {compact ? (
              <span className={styles.points}>{includes(plan).join(" · ")}</span>
            ) : (
              <ul className={styles.points}>
                {includes(plan).map((point) => (
                  <li key={point}>{point}</li>
                ))}
                <li>{t("plan.extraMinute", { priceMinute: money(plan.price_minute) })}</li>
              </ul>
            )}
          </label>
        ))}
      </fieldset>
    </div>
  );
}
