import { Button, Modal, Textarea } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/teams";
import { startBrowsing } from "./data";
import styles from "./dialog.module.css";

interface Props {
  user: { id: string; name: string } | undefined;
  onClose: () => void;
}

/** Asks why, because the audit log and the customer's account log say it. */
export function BrowseAsDialog({ user, onClose }: Props) {
  const config = usePublicConfig();
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
    <Modal opened onClose={onClose} title={t("browseAs.startAs", { userName: user.name })}>
      <form className={styles.form} onSubmit={(event) => void start(event)}>
        <p className="quiet">{t("browseAs.about")}</p>
        <Textarea
          label={t("browseAs.reason")}
          placeholder={t("browseAs.reasonHint")}
          data-autofocus
          autosize
          minRows={2}
          maxLength={config?.text_limits.reason}
          value={reason}
          error={problem}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            {t("browseAs.cancel")}
          </Button>
          <Button
            type="submit"
            loading={busy}
            disabled={reason.trim().length < (config?.reason_min ?? 1)}
          >
            {t("browseAs.start")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
