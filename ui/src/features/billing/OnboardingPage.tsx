import { Alert, Anchor, Button, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Link, Navigate, useNavigate } from "react-router";
import { useSWRConfig } from "swr";
import { ApiError, sentenceOf } from "../../platform/api/client";
import { keys, staleBy } from "../../platform/api/keys";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/billing";
import { t as l } from "../../platform/messages/shell";
import { EmptyState } from "../../platform/page/EmptyState";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { useSession } from "../../domain/person/session";
import { useSignOut } from "../../domain/person/useSignOut";
import { CardField } from "./CardField";
import { CouponField } from "./CouponField";
import { FALLBACKS, refresh, subscribe, usePreview } from "./data";
import { PlanPicker } from "./PlanPicker";
import type { BillingConfig, Coupon, Period, Tier } from "./types";
import { confirmStep, useCardForm } from "./useStripe";
import { costOf, money } from "./words";
import styles from "./billing.module.css";

/** The first plan: choose it, enter a card, pay. */
export default function OnboardingPage() {
  usePageTitle(t("register"));
  const config = usePublicConfig();
  const { user } = useSession();
  if (config === undefined) return <EmptyState />;
  if (config.billing === null) return <Navigate to="/dashboard" replace />;
  if (user?.has_subscription === true && !user.has_free_minutes)
    return <Navigate to="/subscription" replace />;
  return <Onboarding config={config.billing} />;
}

/** What nobody needs a plan for. */
function WithoutPlan() {
  const { user } = useSession();
  return (
    <Text size="sm" className="quiet">
      <Anchor component={Link} to="/settings">
        {l("page.yourSettings")}
      </Anchor>
      {user?.has_free_minutes === true && (
        <>
          {" · "}
          <Anchor component={Link} to="/dashboard">
            {t("free.back")}
          </Anchor>
        </>
      )}
      {user?.is_admin === true && (
        <>
          {" · "}
          <Anchor component={Link} to="/admin">
            {l("page.admin")}
          </Anchor>
        </>
      )}
    </Text>
  );
}

function Onboarding({ config }: { config: BillingConfig }) {
  const [tier, setTier] = useState<Tier>(config.plans[1]?.tier ?? "creator");
  const [period, setPeriod] = useState<Period>("monthly");
  const [coupon, setCoupon] = useState<Coupon>();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const form = useCardForm(config, true);
  const {
    data: held,
    error: noPreview,
    isValidating,
    mutate: lookAgain,
  } = usePreview(tier, period, coupon?.code);
  const shown = isValidating && !busy ? undefined : held;
  const navigate = useNavigate();
  const { mutate } = useSWRConfig();
  const { user } = useSession();
  const { signOut, dialog } = useSignOut();
  const plan = config.plans.find((one) => one.tier === tier);
  if (plan === undefined || config.publishable_key === "") {
    return (
      <>
        <EmptyState
          loading={false}
          hero="maintenance"
          title={t("setup.title")}
          description={t("setup.ask")}
        />
        <WithoutPlan />
      </>
    );
  }

  const order = async () => {
    if (shown === undefined) return;
    setBusy(true);
    setProblem(undefined);
    try {
      const card = await form.save();
      const step = await subscribe(tier, period, card.intent, coupon?.code ?? null, shown.due_now);
      await confirmStep(config, step).catch((error: unknown) => {
        // The bank refused this card: another one can be typed.
        form.restart();
        throw error;
      });
      await mutate(keys.billing, await refresh(), { revalidate: false });
      await Promise.all(
        [keys.user, keys.minutesLeft, keys.ledger].map((key) => mutate(staleBy(key))),
      );
      await navigate("/dashboard");
    } catch (error) {
      if (error instanceof ApiError && error.code === "amount_changed") await lookAgain();
      setProblem(sentenceOf(error, FALLBACKS.subscribe));
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
          <Title order={1}>{t("onboarding.title")}</Title>
          <Text className="quiet">{t("onboarding.about")}</Text>
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
        <div>
          <CardField form={form} />
          <Text size="sm" className="quiet" mt="xs">
            {t("subscribe.bankTwice")}
          </Text>
        </div>
        {problem !== undefined && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {noPreview !== undefined && shown === undefined && !isValidating && (
          <Alert color="red" role="alert">
            {sentenceOf(noPreview, FALLBACKS.subscribe)}{" "}
            <Button size="compact-sm" variant="default" onClick={() => void lookAgain()}>
              {t("tryAgain")}
            </Button>
          </Alert>
        )}
        <Button
          type="submit"
          size="md"
          loading={busy}
          disabled={!form.isReady || shown === undefined}
          data-testid="order"
        >
          {shown === undefined ? t("subscribe") : t("subscribe.pay", { due: money(shown.due_now) })}
        </Button>
        <Text size="sm" className="quiet">
          {shown !== undefined && `${t("change.after", { then: costOf(shown) })} `}
          {t.rich("subscribe.terms", {
            email: user?.email,
            link: (parts) => (
              <Anchor component="button" type="button" onClick={signOut}>
                {parts}
              </Anchor>
            ),
          })}
        </Text>
        <WithoutPlan />
      </Stack>
      {dialog}
    </form>
  );
}
