import { Alert, Button, Group, Title } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { sentenceOf } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/billing";
import { IconCreditCard } from "../../platform/theme/icons";
import { toast } from "../../platform/notices/toast";
import { CardField } from "./CardField";
import { DONE, FALLBACKS, saveCard } from "./data";
import type { Billing, BillingConfig } from "./types";
import { useCardForm } from "./useStripe";
import styles from "./billing.module.css";

/** The card that pays, and another one instead. */
export function CardSection({ config, billing }: { config: BillingConfig; billing: Billing }) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const form = useCardForm(config, open);
  const { mutate } = useSWRConfig();
  const { card } = billing;

  const save = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { method } = await form.save();
      await mutate(keys.billing, await saveCard(method), { revalidate: false });
      toast("success", DONE.card);
      setOpen(false);
    } catch (error) {
      setProblem(sentenceOf(error, FALLBACKS.card));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={styles.section} aria-labelledby="payment-method">
      <Title order={2} id="payment-method">
        {t("paymentMethod")}
      </Title>
      <div className={`card ${styles.method}`}>
        <IconCreditCard size={22} aria-hidden />
        <span data-testid="card">
          {card === null ? (
            t("card.none")
          ) : (
            <>
              {t.rich("card.summary", {
                brand: card.brand,
                b: (parts) => <strong className={styles.brand}>{parts}</strong>,
                last: card.last4,
              })}
              {card.month !== null && card.year !== null && (
                <span className="quiet">
                  {" "}
                  {t("card.expires", {
                    month: String(card.month).padStart(2, "0"),
                    year: card.year,
                  })}
                </span>
              )}
            </>
          )}
        </span>
        {!open && (
          <Button size="compact-md" variant="default" onClick={() => setOpen(true)}>
            {card === null ? t("card.add") : t("change")}
          </Button>
        )}
      </div>
      {open && (
        <form
          className={styles.methodForm}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <CardField form={form} />
          {problem !== undefined && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <Group>
            <Button type="submit" loading={busy} disabled={!form.isReady}>
              {t("saveCard")}
            </Button>
            <Button
              variant="default"
              disabled={busy}
              onClick={() => {
                setOpen(false);
                setProblem(undefined);
              }}
            >
              {t("cancel")}
            </Button>
          </Group>
        </form>
      )}
    </section>
  );
}
