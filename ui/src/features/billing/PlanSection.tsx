import { Button, Group, Modal, Text, Title } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/billing";
import { toast } from "../../platform/notices/toast";
import { changePlan, DONE, FALLBACKS, setCancelled } from "./data";
import { ChangeDialog } from "./ChangeDialog";
import { PlanPicker } from "./PlanPicker";
import type { Billing, BillingConfig, Period, Preview, Tier } from "./types";
import { useBillingActions } from "./useBillingActions";
import { day } from "./words";
import styles from "./billing.module.css";

/** Change to another plan, or cancel. */
export function PlanSection({ config, billing }: { config: BillingConfig; billing: Billing }) {
  const { subscription } = billing;
  const [tier, setTier] = useState<Tier | undefined>(subscription?.tier);
  const [period, setPeriod] = useState<Period>(subscription?.period ?? "monthly");
  const [asking, setAsking] = useState<"change" | "cancel">();
  const { busy, problem, run, runPaid, clear } = useBillingActions(config);
  if (subscription === null || subscription.status === "incomplete") return null;
  const isSame = tier === subscription.tier && period === subscription.period;
  const close = () => {
    setAsking(undefined);
    clear();
  };
  const change = async (shown: Preview) => {
    if (!(await runPaid(() => changePlan(shown), FALLBACKS.change))) return;
    setAsking(undefined);
    toast("success", DONE.change);
  };
  const cancel = async () => {
    if (await run(() => setCancelled(true), FALLBACKS.cancel)) setAsking(undefined);
  };
  return (
    <section className={styles.section} aria-labelledby="change-plan">
      <Title order={2} id="change-plan">
        {t("change.start")}
      </Title>
      <PlanPicker
        plans={config.plans}
        tier={tier}
        period={period}
        current={subscription}
        onTier={setTier}
        onPeriod={setPeriod}
      />
      <Group>
        <Button disabled={isSame || tier === undefined} onClick={() => setAsking("change")}>
          {t("changePlan")}
        </Button>
        {subscription.cancel_at === null && (
          <Button variant="subtle" color="red" onClick={() => setAsking("cancel")}>
            {t("cancelSubscription")}
          </Button>
        )}
      </Group>
      {asking === "change" && tier !== undefined && (
        <ChangeDialog
          tier={tier}
          period={period}
          plan={config.plans.find((plan) => plan.tier === tier)}
          busy={busy}
          problem={problem}
          onConfirm={(shown) => void change(shown)}
          onClose={close}
        />
      )}
      <Modal opened={asking === "cancel"} onClose={close} title={t("cancel.question")}>
        <Text mb="md">
          {subscription.period_end === null
            ? t("cancel.about")
            : t("cancel.goesOn", { periodEnd: day(subscription.period_end) })}{" "}
          {t("cancel.filesStay")}
        </Text>
        {problem !== undefined && (
          <Text role="alert" className="danger-text" mb="md">
            {problem}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={close}>
            {t("keepIt")}
          </Button>
          <Button color="red" loading={busy} onClick={() => void cancel()}>
            {t("cancelSubscription")}
          </Button>
        </Group>
      </Modal>
    </section>
  );
}
