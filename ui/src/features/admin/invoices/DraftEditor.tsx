import { ActionIcon, Alert, Button, NumberInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { usePublicConfig } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/admin";
import { IconPlus, IconTrash } from "../../../platform/theme/icons";
import { money } from "../list/words";
import { useInvoiceActions, type Invoice } from "./data";
import styles from "./invoices.module.css";

interface Line {
  text: string;
  /** In units of the currency, as people write it. */
  amount: number | string;
}

const cents = (amount: number | string): number => Math.round(Number(amount || 0) * 100);

/** The lines of a draft before it is issued. */
export function DraftEditor({
  invoice,
  onDiscarded,
}: {
  invoice: Invoice;
  onDiscarded: () => void;
}) {
  const linesMax = usePublicConfig()?.count_limits.invoice_lines ?? 0;
  const { change, discard, issue } = useInvoiceActions();
  const [lines, setLines] = useState<Line[]>(
    invoice.lines.map(({ text, amount }) => ({ text, amount: amount / 100 })),
  );
  const [tax, setTax] = useState<number | string>(invoice.tax / 100);
  const [busy, setBusy] = useState(false);
  const total = lines.reduce((sum, { amount }) => sum + cents(amount), 0) + cents(tax);
  const isChanged =
    cents(tax) !== invoice.tax ||
    lines.length !== invoice.lines.length ||
    lines.some(
      ({ text, amount }, index) =>
        text !== invoice.lines[index]?.text || cents(amount) !== invoice.lines[index]?.amount,
    );
  const set = (index: number, fields: Partial<Line>) =>
    setLines(lines.map((line, each) => (each === index ? { ...line, ...fields } : line)));
  const run = async (call: () => Promise<unknown>) => {
    setBusy(true);
    const answer = await call();
    setBusy(false);
    return answer !== undefined;
  };
  const save = () =>
    run(() =>
      change(invoice.id, {
        lines: lines.map(({ text, amount }, index) => ({
          text,
          amount: cents(amount),
          quantity: invoice.lines[index]?.quantity ?? 1,
        })),
        tax: cents(tax),
      }),
    );
  return (
    <form
      className={styles.editor}
      aria-label={t("invoices.draft")}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {lines.map((line, index) => (
        <div key={index} className={styles.line}>
          <TextInput
            aria-label={t("invoices.line.text", { index: index + 1 })}
            maxLength={200}
            value={line.text}
            onChange={({ currentTarget }) => set(index, { text: currentTarget.value })}
          />
          <NumberInput
            aria-label={t("invoices.line.amount", { index: index + 1 })}
            decimalScale={2}
            fixedDecimalScale
            hideControls
            value={line.amount}
            onChange={(amount) => set(index, { amount })}
          />
          <ActionIcon
            aria-label={t("invoices.line.delete", { index: index + 1 })}
            disabled={lines.length === 1}
            onClick={() => setLines(lines.filter((_, each) => each !== index))}
          >
            <IconTrash size={17} />
          </ActionIcon>
        </div>
      ))}
      <div className={styles.line}>
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconPlus size={15} />}
          disabled={lines.length >= linesMax}
          onClick={() => setLines([...lines, { text: "", amount: 0 }])}
        >
          {t("invoices.line.add")}
        </Button>
        <NumberInput
          label={t("invoices.tax")}
          decimalScale={2}
          fixedDecimalScale
          hideControls
          min={0}
          value={tax}
          onChange={setTax}
        />
        <span />
      </div>
      <p>
        <strong>{t("invoices.totalTotal", { total: money(total, invoice.currency) })}</strong>
      </p>
      {!invoice.may_issue && <Alert color="blue">{t("invoices.draft.monthOpen")}</Alert>}
      <div className={styles.actions}>
        {isChanged ? (
          <Button
            type="submit"
            loading={busy}
            disabled={total <= 0 || lines.some(({ text }) => text.trim() === "")}
          >
            {t("invoices.draft.save")}
          </Button>
        ) : (
          <Button
            loading={busy}
            disabled={!invoice.may_issue}
            onClick={() => void run(() => issue(invoice.id))}
          >
            {t("invoices.issue")}
          </Button>
        )}
        <Button
          variant="default"
          disabled={busy}
          onClick={() => void run(() => discard(invoice.id)).then((done) => done && onDiscarded())}
        >
          {t("invoices.draft.discard")}
        </Button>
      </div>
    </form>
  );
}
