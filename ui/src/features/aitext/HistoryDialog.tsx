import { Alert, Badge, Button, Loader, Modal } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/aitext";
import { day } from "../../domain/files/format";
import { toast } from "../../platform/notices/toast";
import { fetchVersion, useHistory, type AiText } from "./data";
import { nameOf, versionWords } from "./words";
import styles from "./aitext.module.css";

interface Props {
  text: AiText;
  /** Given to who may change the text. */
  onRestore: ((version: number) => Promise<boolean>) | undefined;
  onClose: () => void;
}

/** The versions of a text. Any of them can be looked at, and brought back by who may change the text. */
export default function HistoryDialog({ text, onRestore, onClose }: Props) {
  const { data: versions, error } = useHistory(text.id);
  const [shown, setShown] = useState<{ number: number; content: string }>();
  const [busy, setBusy] = useState<number>();

  const show = async (number: number) => {
    if (shown?.number === number) {
      setShown(undefined);
      return;
    }
    try {
      setShown({ number, content: await fetchVersion(text.id, number) });
    } catch (problem) {
      toast("error", (problem as Error).message);
    }
  };
  const restore = async (number: number) => {
    if (onRestore === undefined) return;
    setBusy(number);
    const done = await onRestore(number);
    setBusy(undefined);
    if (done) onClose();
  };

  return (
    <Modal opened onClose={onClose} title={t("historyText", { text: nameOf(text) })} size={680}>
      {error !== undefined && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {versions === undefined && error === undefined && <Loader aria-label={t("loading")} />}
      <ol className={styles.versions}>
        {versions?.map((version) => (
          <li key={version.number} data-testid="version">
            <div className={styles.version}>
              <div>
                <strong>{versionWords(version)}</strong>
                {version.is_current && (
                  <Badge size="sm" variant="light" ml={8}>
                    {t("current")}
                  </Badge>
                )}
                <span className="quiet">
                  {day(version.created_at)}
                  {version.title !== "" && ` · ${version.title}`}
                </span>
              </div>
              <Button
                size="compact-sm"
                variant="subtle"
                aria-expanded={shown?.number === version.number}
                onClick={() => void show(version.number)}
              >
                {shown?.number === version.number ? t("hide") : t("show")}
              </Button>
              {!version.is_current && onRestore !== undefined && (
                <Button
                  size="compact-sm"
                  variant="light"
                  loading={busy === version.number}
                  onClick={() => void restore(version.number)}
                >
                  {t("bringBack")}
                </Button>
              )}
            </div>
            {shown?.number === version.number && (
              <pre className={styles.versionText} lang={text.language} dir="auto" tabIndex={0}>
                {shown.content}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </Modal>
  );
}
