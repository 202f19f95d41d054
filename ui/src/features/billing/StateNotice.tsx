import { Alert, Button, Group } from "@mantine/core";
import { Link } from "react-router";
import { FALLBACKS, payDue, setCancelled, takeChangeBack } from "./data";
import type { Billing, BillingConfig } from "./types";
import { useBillingActions } from "./useBillingActions";
import { day, money, per } from "./words";

/** What needs attention: a missing payment, a waiting change, the end of the subscription. */
export function StateNotice({ config, billing }: { config: BillingConfig; billing: Billing }) {
  const { busy, problem, run, runPaid } = useBillingActions(config);
  const { subscription, pending, due } = billing;
  const pay = due !== null && (
    <Button size="sm" loading={busy} onClick={() => void runPaid(payDue, FALLBACKS.pay)}>
      Pay {money(due)} now
    </Button>
  );
  const failed = problem !== undefined && (
    <Alert color="red" role="alert">
      {problem}
    </Alert>
  );

  if (billing.has_contract) return null;
  if (subscription === null) {
    return (
      <Alert color="blue" title={billing.has_ended ? "Your subscription has ended" : "No plan yet"}>
        <p>
          {billing.has_ended
            ? "Your files are still here. Choose a plan to go on working with them."
            : "Choose a plan to upload and transcribe."}
        </p>
        <Button component={Link} to="/onboarding/billing" size="sm">
          Choose a plan
        </Button>
      </Alert>
    );
  }
  if (subscription.status === "incomplete") {
    return (
      <>
        {failed}
        <Alert color="yellow" title="Your first payment is missing">
          <p>
            Your plan begins as soon as the payment is confirmed. If your card was declined, change
            it below and pay again.
          </p>
          <Group>
            {pay}
            <Button
              size="sm"
              variant="default"
              disabled={busy}
              onClick={() => void run(() => setCancelled(true), FALLBACKS.cancel)}
            >
              Cancel the order
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
        <Alert color="red" title="Your last payment did not work">
          <p>
            We try again over the next days, and your plan goes on until then. You can also change
            the card below, or pay now.
          </p>
          {pay}
        </Alert>
      )}
      {pending !== null && (
        <Alert color="yellow" title={`Confirm the payment to change to ${pending.label}`}>
          <p>
            Your plan stays as it is until then.
            {pending.until !== null && ` The change waits until ${day(pending.until)}.`}
          </p>
          <Group>
            {pay}
            <Button
              size="sm"
              variant="default"
              disabled={busy}
              onClick={() => void run(takeChangeBack, FALLBACKS.takeBack)}
            >
              Take the change back
            </Button>
          </Group>
        </Alert>
      )}
      {subscription.next !== null && (
        <Alert color="blue" title={`Your plan changes to ${subscription.next.label}`}>
          <p>
            {subscription.next.at !== null && `On ${day(subscription.next.at)} `}you change to{" "}
            {subscription.next.label} for {money(subscription.next.price)}{" "}
            {per(subscription.next.period)}. Until then nothing changes.
          </p>
          <Button
            size="sm"
            variant="default"
            loading={busy}
            onClick={() => void run(takeChangeBack, FALLBACKS.takeBack)}
          >
            Take the change back
          </Button>
        </Alert>
      )}
      {subscription.cancel_at !== null && (
        <Alert color="yellow" title={`Your subscription ends on ${day(subscription.cancel_at)}`}>
          <p>Until then everything works as before. You will not be charged again.</p>
          <Button
            size="sm"
            variant="default"
            loading={busy}
            onClick={() => void run(() => setCancelled(false), FALLBACKS.uncancel)}
          >
            Keep the subscription
          </Button>
        </Alert>
      )}
    </>
  );
}
