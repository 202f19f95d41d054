import { Button, Group, Modal, TextInput } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/ledger";
import { toast } from "../../platform/notices/toast";
import { refund, type Movement } from "./data";
import { minutes } from "./words";

interface Props {
  movement: Movement;
  onClose: () => void;
  onDone: () => void;
}

/** Asks an administrator why a customer gets minutes back. */
export function RefundDialog({ movement, onClose, onDone }: Props) {
  const [note, setNote] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      await refund(movement.job_id ?? "", note.trim());
      toast("success", t("giveBack.done", { seconds: minutes(movement.seconds) }));
      onDone();
    } catch (problem) {
      toast("error", (problem as Error).message);
    } finally {
      setBusy(false);
      onClose();
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("giveBack.start", { seconds: minutes(movement.seconds) })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <TextInput
          label={t("reason")}
          description={t("giveBack.noteHint")}
          required
          maxLength={500}
          data-autofocus
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" loading={busy} disabled={note.trim() === ""}>
            {t("giveBack")}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
