import { Alert, Button } from "@mantine/core";
import { t } from "../../platform/messages/billing";
import type { CardForm } from "./useStripe";
import styles from "./billing.module.css";

/** Where Stripe puts its form. */
export function CardField({ form }: { form: CardForm }) {
  if (form.problem !== undefined) {
    return (
      <Alert color="red" role="alert">
        {form.problem}{" "}
        <Button size="compact-sm" variant="default" onClick={form.restart}>
          {t("tryAgain")}
        </Button>
      </Alert>
    );
  }
  return (
    <div className={styles.card} role="group" aria-label={t("card")} aria-busy={!form.isReady}>
      {!form.isReady && <div className={`skeleton ${styles.cardWait}`} />}
      <div ref={form.target} />
    </div>
  );
}
