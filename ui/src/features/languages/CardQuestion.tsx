import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Suspense, useState } from "react";
import { t } from "../../platform/messages/processing";
import { useFileActions, type MediaFile } from "../../domain/files/data";
import { useLanguages } from "../../domain/languages/languages";
import { QUESTION } from "./LanguageQuestion";
import styles from "./languages.module.css";
import { part } from "../../platform/failure/Later";

const LanguageDialog = part(() => import("./LanguageDialog"));

/** The language question in the space of a card: the likeliest answer, and a button for all others. */
export function CardQuestion({ file }: { file: MediaFile }) {
  const actions = useFileActions();
  const { suggestions, label } = useLanguages();
  const [busy, setBusy] = useState(false);
  const [choosing, dialog] = useDisclosure();
  const [likeliest] = suggestions;
  const start = async (code: string) => {
    setBusy(true);
    await actions.transcribe(file.slug, code);
    setBusy(false);
  };
  return (
    <div
      className={styles.cardQuestion}
      role="group"
      aria-label={`${QUESTION} ${file.name}`}
      data-testid="language-question"
    >
      <span className={styles.cardQuestionTitle}>{QUESTION}</span>
      {likeliest !== undefined && (
        <Button size="compact-sm" loading={busy} onClick={() => void start(likeliest)}>
          {label(likeliest)}
        </Button>
      )}
      <Button size="compact-sm" variant="default" disabled={busy} onClick={dialog.open}>
        {t("languages.other")}
      </Button>
      <Suspense fallback={null}>
        {choosing && <LanguageDialog file={file} onClose={dialog.close} />}
      </Suspense>
    </div>
  );
}
