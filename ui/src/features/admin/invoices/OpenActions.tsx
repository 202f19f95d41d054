import { Button, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { t } from "../../../platform/messages/admin";
import { useInvoiceActions, type Invoice } from "./data";
import styles from "./invoices.module.css";

/** What can become of an open invoice: it is paid, or it was wrong. */
export function OpenActions({ invoice }: { invoice: Invoice }) {
  const { markPaid, voidIt } = useInvoiceActions();
  const [paidOn, setPaidOn] = useState("");
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  const run = (call: () => Promise<unknown>) => async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    await call();
    setBusy(false);
  };
  return (
    <>
      <form
        className={styles.step}
        onSubmit={(event) => void run(() => markPaid(invoice.id, paidOn))(event)}
      >
        <TextInput
          type="date"
          label={t("invoices.paidOn")}
          description={t("invoices.paid.date")}
          max={new Date().toISOString().slice(0, 10)}
          value={paidOn}
          onChange={({ currentTarget }) => setPaidOn(currentTarget.value)}
        />
        <Button type="submit" loading={busy}>
          {t("invoices.paid.mark")}
        </Button>
      </form>
      <form
        className={styles.step}
        onSubmit={(event) => void run(() => voidIt(invoice.id, reason.trim()))(event)}
      >
        <TextInput
          label={t("invoices.voidBecause")}
          description={t("invoices.void.about")}
          maxLength={300}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Button
          type="submit"
          color="red"
          variant="light"
          loading={busy}
          disabled={reason.trim() === ""}
        >
          {t("invoices.void")}
        </Button>
      </form>
    </>
  );
}
