import { Button, Modal, Select } from "@mantine/core";
import { useState } from "react";
import { toast } from "../../notifications/toast";
import { counted } from "../list/words";
import { months, useInvoiceActions } from "./data";
import styles from "./invoices.module.css";

/** Choose the month whose contracts are billed. */
export function DraftDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { draft } = useInvoiceActions();
  const choices = months(new Date(), 12);
  const [month, setMonth] = useState(choices[1]?.value ?? "");
  const [busy, setBusy] = useState(false);
  const submit = async () => {
    setBusy(true);
    const answer = await draft(month);
    setBusy(false);
    if (answer === undefined) return;
    const { drafted, skipped } = answer.data;
    toast(
      "success",
      `${counted(drafted, "invoice")} drafted.${skipped > 0 ? ` ${counted(skipped, "contract")} had an invoice or nothing to pay.` : ""}`,
    );
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Draft contract invoices">
      <p className={styles.note}>
        Each contract in force gets a draft with its monthly price and its extra minutes. Nobody
        sees a draft before you issue it.
      </p>
      <Select
        label="Month"
        data={choices}
        value={month}
        allowDeselect={false}
        onChange={(value) => value !== null && setMonth(value)}
      />
      <div className={styles.end}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} onClick={() => void submit()}>
          Draft
        </Button>
      </div>
    </Modal>
  );
}
