import { Alert, Button, Group, Title } from "@mantine/core";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { keys } from "../../api/keys";
import { IconCreditCard } from "../../theme/icons";
import { toast } from "../notifications/toast";
import { CardField } from "./CardField";
import { DONE, FALLBACKS, saveCard, sentenceOf } from "./data";
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
      setProblem(error instanceof Error ? sentenceOf(error, error.message) : FALLBACKS.card);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className={styles.section} aria-labelledby="payment-method">
      <Title order={2} id="payment-method">
        Payment method
      </Title>
      <div className={`card ${styles.method}`}>
        <IconCreditCard size={22} aria-hidden />
        <span data-testid="card">
          {card === null ? (
            "No card yet"
          ) : (
            <>
              <strong className={styles.brand}>{card.brand}</strong> ending in {card.last4}
              {card.month !== null && card.year !== null && (
                <span className="quiet">
                  {" "}
                  · until {String(card.month).padStart(2, "0")}/{card.year}
                </span>
              )}
            </>
          )}
        </span>
        {!open && (
          <Button size="compact-md" variant="default" onClick={() => setOpen(true)}>
            {card === null ? "Add a card" : "Change"}
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
              Save card
            </Button>
            <Button
              variant="default"
              disabled={busy}
              onClick={() => {
                setOpen(false);
                setProblem(undefined);
              }}
            >
              Cancel
            </Button>
          </Group>
        </form>
      )}
    </section>
  );
}
