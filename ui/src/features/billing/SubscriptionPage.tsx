import { Title } from "@mantine/core";
import { Navigate } from "react-router";
import { usePublicConfig } from "../../api/publicConfig";
import { EmptyState } from "../../layouts/EmptyState";
import { usePageTitle } from "../../layouts/usePageTitle";
import { CardSection } from "./CardSection";
import { CurrentPlan } from "./CurrentPlan";
import { useBilling } from "./data";
import { Invoices } from "./Invoices";
import { PlanSection } from "./PlanSection";
import { StateNotice } from "./StateNotice";
import styles from "./billing.module.css";

/** One's plan, card and invoices. */
export default function SubscriptionPage() {
  usePageTitle("Subscription");
  const config = usePublicConfig();
  const { data: billing, error, mutate } = useBilling();
  if (config?.billing === null) return <Navigate to="/dashboard" replace />;
  if (error !== undefined && billing === undefined) {
    return (
      <EmptyState
        loading={false}
        hero="lost"
        title="Your subscription could not be loaded"
        description={error.message}
        add={{ label: "Try again", contentType: "subscription", onAdd: () => void mutate() }}
      />
    );
  }
  if (config?.billing == null || billing === undefined) return <EmptyState />;
  return (
    <div className={styles.page}>
      <header>
        <Title order={1}>Subscription</Title>
      </header>
      <StateNotice config={config.billing} billing={billing} />
      <CurrentPlan billing={billing} />
      {!billing.has_contract && billing.subscription !== null && (
        <>
          <PlanSection config={config.billing} billing={billing} />
          <CardSection config={config.billing} billing={billing} />
        </>
      )}
      <Invoices />
    </div>
  );
}
