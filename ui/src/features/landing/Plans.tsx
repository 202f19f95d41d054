import { Button, SegmentedControl, Title } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/landing";
import type { Period } from "../billing/types";
import { includes, money, per, priceOf, savingOf } from "../billing/words";
import styles from "./plans.module.css";

/** What the plans cost and hold. Nothing where people need no plan. */
export default function Plans() {
  const plans = usePublicConfig()?.billing?.plans ?? [];
  const [period, setPeriod] = useState<Period>("monthly");
  if (plans.length === 0) return null;
  const saving = savingOf(plans);
  return (
    <section className={styles.plans} aria-labelledby="plans">
      <header className={styles.head}>
        <Title order={2} id="plans">
          {t("plans")}
        </Title>
        <p>{t("plans.about")}</p>
        <SegmentedControl
          aria-label={t("period.label")}
          value={period}
          onChange={setPeriod}
          data={[
            { value: "monthly", label: t("monthly") },
            {
              value: "yearly",
              label: saving > 0 ? t("period.yearly", { saving }) : t("yearly"),
            },
          ]}
        />
      </header>
      <ul className={styles.cards}>
        {plans.map((plan) => (
          <li key={plan.tier} className={styles.card} data-testid="plan">
            <h3>{plan.label}</h3>
            <p className={styles.price}>
              <b className="tabular">{money(priceOf(plan, period))}</b> {per(period)}
            </p>
            <ul className={styles.points}>
              {includes(plan).map((point) => (
                <li key={point}>{point}</li>
              ))}
              <li>{t("plan.extraMinute", { priceMinute: money(plan.price_minute) })}</li>
            </ul>
            <Button component={Link} to="/register" variant="light" fullWidth>
              {t("start")}
              <span className="visually-hidden">
                {" "}
                {t("start.withPlan", { planLabel: plan.label })}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
