import { Alert, Button } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/processing";
import { useFileActions, type MediaFile } from "../../domain/files/data";
import { useLanguages } from "../../domain/languages/languages";
import { LanguageSelect } from "../../domain/languages/LanguageSelect";
import styles from "./languages.module.css";

/** Choices that are one click away; the box has all others. */
const SHOWN = 3;

export const QUESTION = t("languages.question");

/** Asks for another language when the model cannot transcribe the file's own. Each choice starts the transcription. */
export function LanguageQuestion({ file, radius }: { file: MediaFile; radius?: number }) {
  const actions = useFileActions();
  const { suggestions, label } = useLanguages();
  const [busy, setBusy] = useState(false);
  const start = async (code: string) => {
    setBusy(true);
    await actions.transcribe(file.slug, code);
    setBusy(false);
  };
  return (
    <Alert
      color="yellow"
      radius={radius}
      role="group"
      aria-label={`${QUESTION} ${file.name}`}
      className={styles.languageQuestion}
      data-testid="language-question"
    >
      <p className={styles.languageQuestionTitle} role="status">
        {QUESTION}
      </p>
      <p>{file.error}</p>
      <div className={styles.languageQuestionChoices}>
        {suggestions.slice(0, SHOWN).map((code) => (
          <Button key={code} size="compact-md" disabled={busy} onClick={() => void start(code)}>
            {label(code)}
          </Button>
        ))}
        <LanguageSelect
          aria-label={t("languages.otherFor", { fileName: file.name })}
          placeholder={t("languages.otherLanguage")}
          size="xs"
          w={190}
          value={null}
          disabled={busy}
          onChange={(code) => void start(code)}
        />
      </div>
    </Alert>
  );
}
