import { Title } from "@mantine/core";
import { Navigate } from "react-router";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/billing";
import { EmptyState } from "../../platform/page/EmptyState";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { CardSection } from "./CardSection";
import { CurrentPlan } from "./CurrentPlan";
import { useBilling } from "./data";
import { Invoices } from "./Invoices";
import { PlanSection } from "./PlanSection";
import { StateNotice } from "./StateNotice";
import type { BillingConfig } from "./types";
import styles from "./billing.module.css";

/** One's plan, card and invoices. Where people need no plan, there are none. */
export default function SubscriptionPage() {
  usePageTitle(t("subscription"));
  const config = usePublicConfig();
  if (config?.billing === null) return <Navigate to="/dashboard" replace />;
  return config === undefined ? <EmptyState /> : <Subscription config={config.billing} />;
}

function Subscription({ config }: { config: BillingConfig }) {
  const { data: billing, error, mutate } = useBilling();
  if (error !== undefined && billing === undefined) {
    return (
      <EmptyState
        loading={false}
        hero="lost"
        title={t("loadFailed")}
        description={error.message}
        add={{ label: t("tryAgain"), contentType: "subscription", onAdd: () => void mutate() }}
      />
    );
  }
  if (billing === undefined) return <EmptyState />;
  return (
    <div className={styles.page}>
      <header>
        <Title order={1}>{t("subscription")}</Title>
      </header>
      <StateNotice config={config} billing={billing} />
      <CurrentPlan billing={billing} />
      {!billing.has_contract && billing.subscription !== null && (
        <>
          <PlanSection config={config} billing={billing} />
          <CardSection config={config} billing={billing} />
        </>
      )}
      <Invoices />
    </div>
  );
}
