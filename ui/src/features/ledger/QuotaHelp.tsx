import { Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { t } from "../../platform/messages/ledger";
import { useFileActions, type MediaFile } from "../../domain/files/data";
import styles from "./ledger.module.css";

/** What to do about a file that waits for minutes: look at them, or start it again. `explains`: why it waits, too. */
export function QuotaHelp({ file, explains = false }: { file: MediaFile; explains?: boolean }) {
  const actions = useFileActions();
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    await actions.retry(file.slug);
    setBusy(false);
  };
  return (
    <div
      className={styles.help}
      role="group"
      aria-label={t("file.minutes", { fileName: file.name })}
    >
      {explains && <p className={styles.why}>{file.error}</p>}
      <Button size="compact-sm" loading={busy} onClick={() => void start()}>
        {t("startAgain")}
      </Button>
      <Button size="compact-sm" variant="default" component={Link} to="/minutes">
        {t("see")}
      </Button>
    </div>
  );
}
