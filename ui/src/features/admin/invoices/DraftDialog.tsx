import { Button, Modal, Select } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/admin";
import { toast } from "../../../platform/notices/toast";
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
    toast("success", t("invoices.drafted.done", { drafted, skipped }).trim());
    onClose();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={t("invoices.draft.title")}>
      <p className={styles.note}>{t("invoices.draft.about")}</p>
      <Select
        label={t("invoices.month")}
        data={choices}
        value={month}
        allowDeselect={false}
        onChange={(value) => value !== null && setMonth(value)}
      />
      <div className={styles.end}>
        <Button variant="default" onClick={onClose}>
          {t("invoices.cancel")}
        </Button>
        <Button loading={busy} onClick={() => void submit()}>
          {t("invoices.draft")}
        </Button>
      </div>
    </Modal>
  );
}
