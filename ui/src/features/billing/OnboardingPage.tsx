import { Alert, Anchor, Button, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Navigate, useNavigate } from "react-router";
import { useSWRConfig } from "swr";
import { keys } from "../../api/keys";
import { usePublicConfig } from "../../api/publicConfig";
import { t } from "../../i18n/en/billing";
import { EmptyState } from "../../layouts/EmptyState";
import { usePageTitle } from "../../layouts/usePageTitle";
import { useSession } from "../auth/session";
import { useSignOut } from "../auth/useSignOut";
import { CardField } from "./CardField";
import { CouponField } from "./CouponField";
import { FALLBACKS, refresh, sentenceOf, subscribe } from "./data";
import { PlanPicker } from "./PlanPicker";
import type { BillingConfig, Coupon, Period, Tier } from "./types";
import { confirmStep, useCardForm } from "./useStripe";
import { money, per, priceOf } from "./words";
import styles from "./billing.module.css";

/** The first plan: choose it, enter a card, pay. */
export default function OnboardingPage() {
  usePageTitle(t("register"));
  const config = usePublicConfig();
  const { user } = useSession();
  if (config === undefined) return <EmptyState />;
  if (config.billing === null) return <Navigate to="/dashboard" replace />;
  if (user?.has_subscription === true) return <Navigate to="/subscription" replace />;
  return <Onboarding config={config.billing} />;
}

function Onboarding({ config }: { config: BillingConfig }) {
  const [tier, setTier] = useState<Tier>(config.plans[1]?.tier ?? "creator");
  const [period, setPeriod] = useState<Period>("monthly");
  const [coupon, setCoupon] = useState<Coupon>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const form = useCardForm(config, true);
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const { user } = useSession();
  const { signOut, dialog } = useSignOut();
  const plan = config.plans.find((one) => one.tier === tier);
  if (plan === undefined || config.publishable_key === "") {
    return (
      <EmptyState
        loading={false}
        hero="maintenance"
        title={t("paymentsAreNotSetUp")}
        description={t("askTheAdministratorOfThis")}
      />
    );
  }

  const order = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const card = await form.save();
      const step = await subscribe(tier, period, card.intent, coupon?.code ?? null);
      await confirmStep(config, step).catch((error: unknown) => {
        // The bank refused this card: another one can be typed.
        form.restart();
        throw error;
      });
      await mutate(keys.billing, await refresh(), { revalidate: false });
      await mutate(keys.user);
      await navigate("/dashboard");
    } catch (error) {
      setProblem(error instanceof Error ? sentenceOf(error, error.message) : FALLBACKS.subscribe);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form
      className={styles.onboarding}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void order();
      }}
    >
      <Stack gap="lg">
        <div>
          <Title order={1}>{t("chooseYourPlan")}</Title>
          <Text className="quiet">{t("youCanChangeOrCancel")}</Text>
        </div>
        <PlanPicker
          plans={config.plans}
          tier={tier}
          period={period}
          compact
          onTier={setTier}
          onPeriod={setPeriod}
        />
        <CouponField coupon={coupon} onCoupon={setCoupon} />
        <CardField form={form} />
        {problem !== undefined && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <Button type="submit" size="md" loading={busy} disabled={!form.isReady}>
          {t("subscribeForPriceofPer", { priceOf: money(priceOf(plan, period)), per: per(period) })}
        </Button>
        <Text size="sm" className="quiet">
          {coupon !== undefined && `${coupon.label}. `}
          {t.rich("thePlanRenewsUntilYou", {
            email: user?.email,
            link: (parts) => (
              <Anchor component="button" type="button" onClick={signOut}>
                {parts}
              </Anchor>
            ),
          })}
        </Text>
      </Stack>
      {dialog}
    </form>
  );
}
