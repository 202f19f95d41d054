import { Alert, Button, Group } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../platform/messages/billing";
import { useSession } from "../../domain/person/session";
import { FreeMinutes } from "./FreeMinutes";
import { FALLBACKS, payDue, setCancelled, takeChangeBack } from "./data";
import type { Billing, BillingConfig } from "./types";
import { useBillingActions } from "./useBillingActions";
import { costOf, day, money } from "./words";

/** What needs attention: a missing payment, a waiting change, the end of the subscription. */
export function StateNotice({ config, billing }: { config: BillingConfig; billing: Billing }) {
  const { busy, problem, run, runPaid } = useBillingActions(config);
  const { user } = useSession();
  const { subscription, pending, due } = billing;
  const pay = due !== null && (
    <Button size="sm" loading={busy} onClick={() => void runPaid(() => payDue(due), FALLBACKS.pay)}>
      {t("state.payNow", { due: money(due) })}
    </Button>
  );
  const failed = problem !== undefined && (
    <Alert color="red" role="alert">
      {problem}
    </Alert>
  );

  if (billing.has_contract) return null;
  if (subscription === null && user?.has_free_minutes === true) return <FreeMinutes />;
  if (subscription === null) {
    return (
      <Alert color="blue" title={billing.has_ended ? t("state.ended") : t("state.none")}>
        <p>{billing.has_ended ? t("state.endedAbout") : t("state.noneAbout")}</p>
        <Button component={Link} to="/onboarding/billing" size="sm">
          {t("state.choose")}
        </Button>
      </Alert>
    );
  }
  if (subscription.status === "incomplete") {
    return (
      <>
        {failed}
        <Alert color="yellow" title={t("state.firstMissing")}>
          <p>{t("state.firstMissingAbout")}</p>
          <Group>
            {pay}
            <Button
              size="sm"
              variant="default"
              disabled={busy}
              onClick={() => void run(() => setCancelled(true), FALLBACKS.cancel)}
            >
              {t("state.cancelOrder")}
            </Button>
          </Group>
        </Alert>
      </>
    );
  }
  return (
    <>
      {failed}
      {(subscription.status === "past_due" || subscription.status === "unpaid") && (
        <Alert color="red" title={t("state.lastFailed")}>
          <p>{t("state.lastFailedAbout")}</p>
          {pay}
        </Alert>
      )}
      {pending !== null && (
        <Alert color="yellow" title={t("state.confirmChange", { pendingLabel: pending.label })}>
          <p>
            {t("state.confirmChangeAbout")}
            {pending.until !== null && t("state.changeWaits", { until: day(pending.until) })}
          </p>
          <Group>
            {pay}
            <Button
              size="sm"
              variant="default"
              disabled={busy}
              onClick={() => void run(takeChangeBack, FALLBACKS.takeBack)}
            >
              {t("state.takeBack")}
            </Button>
          </Group>
        </Alert>
      )}
      {subscription.next !== null && (
        <Alert color="blue" title={t("state.changesTo", { nextLabel: subscription.next.label })}>
          <p>
            {t("state.changesToAbout", {
              at: subscription.next.at === null ? "none" : day(subscription.next.at),
              nextLabel: subscription.next.label,
              cost: costOf({
                ...subscription,
                ...subscription.next,
                next_amount: subscription.renewal_amount,
              }),
            })}
          </p>
          <Button
            size="sm"
            variant="default"
            loading={busy}
            onClick={() => void run(takeChangeBack, FALLBACKS.takeBack)}
          >
            {t("state.takeBack")}
          </Button>
        </Alert>
      )}
      {subscription.cancel_at !== null && (
        <Alert color="yellow" title={t("state.endsOn", { cancelAt: day(subscription.cancel_at) })}>
          <p>{t("state.endsOnAbout")}</p>
          <Button
            size="sm"
            variant="default"
            loading={busy}
            onClick={() => void run(() => setCancelled(false), FALLBACKS.uncancel)}
          >
            {t("state.keep")}
          </Button>
        </Alert>
      )}
    </>
  );
}
