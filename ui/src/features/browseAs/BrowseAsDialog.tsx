import { Button, Modal, Textarea } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { REASON_MAX, REASON_MIN, startBrowsing } from "./data";
import styles from "./dialog.module.css";

interface Props {
  user: { id: string; name: string } | undefined;
  onClose: () => void;
}

/** Asks why, because the audit log and the customer's account log say it. */
export function BrowseAsDialog({ user, onClose }: Props) {
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  if (user === undefined) return null;
  const start = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await startBrowsing(user.id, reason.trim());
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={`Browse as ${user.name}`}>
      <form className={styles.form} onSubmit={(event) => void start(event)}>
        <p className="quiet">
          You see the account for 30 minutes, at first only to look. The audit log and the
          customer’s account log record what you open and change, and your reason.
        </p>
        <Textarea
          label="Reason"
          placeholder="Ticket 4711: captions look empty"
          data-autofocus
          autosize
          minRows={2}
          maxLength={REASON_MAX}
          value={reason}
          error={problem}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy} disabled={reason.trim().length < REASON_MIN}>
            Start
          </Button>
        </div>
      </form>
    </Modal>
  );
}
