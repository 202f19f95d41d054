import { Alert, Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { t } from "../../platform/messages/models";
import { useImprovement, type ImprovableFile } from "./data";
import { useDismissed } from "./dismissed";
import styles from "./models.module.css";

const question = (count: number): string =>
  count === 1 ? t("again.question") : t("again.questionMany", { count });

/** Offers to transcribe with a better model what the built-in engine did or could not do. */
export default function BetterModel() {
  const { label, files, improve, busy } = useImprovement();
  const [isDismissed, dismiss] = useDismissed("sagascript.better-model", label ?? "");
  const [open, list] = useDisclosure();
  if (label === null || files.length === 0 || isDismissed) return null;
  const edited = files.filter((file) => file.is_edited).length;
  return (
    <Alert
      color="spruce"
      role="region"
      aria-label={t("ready.title")}
      className={styles.betterModel}
      data-testid="better-model"
    >
      <p className={styles.betterModelTitle} role="status">
        {t("ready.label", { label, question: question(files.length) })}
      </p>
      <p>
        {t("builtIn.worked", { files: files.length })}
        {edited > 0 && ` ${changes(files.length, edited)}`}
      </p>
      <Group gap="xs" mt="xs">
        <Button
          size="compact-md"
          loading={busy}
          onClick={() => void improve(files.map((file) => file.id))}
        >
          {files.length === 1 ? t("transcribeAgain") : t("again.all")}
        </Button>
        {files.length > 1 && (
          <Button
            size="compact-md"
            variant="default"
            aria-expanded={open}
            aria-controls="better-model-files"
            onClick={list.toggle}
          >
            {open ? t("hideList") : t("selectFiles")}
          </Button>
        )}
        <Button size="compact-md" variant="subtle" onClick={dismiss}>
          {t("notNow")}
        </Button>
      </Group>
      {open && files.length > 1 && (
        <ul id="better-model-files" className={styles.betterModelFiles}>
          {files.map((file) => (
            <FileRow key={file.id} file={file} busy={busy} onRun={() => void improve([file.id])} />
          ))}
        </ul>
      )}
    </Alert>
  );
}

/** What happens to captions that somebody edited. */
function changes(count: number, edited: number): string {
  return edited === count ? t("edited.all", { count }) : t("edited.some", { edited });
}

interface RowProps {
  file: ImprovableFile;
  busy: boolean;
  onRun: () => void;
}

function FileRow({ file, busy, onRun }: RowProps) {
  return (
    <li>
      <span className={styles.betterModelName} title={file.name}>
        {file.name}
      </span>
      {file.is_edited && <span className="quiet">{t("edited.byYou")}</span>}
      <Button
        size="compact-sm"
        variant="default"
        disabled={busy}
        aria-label={t("again.label", { fileName: file.name })}
        onClick={onRun}
      >
        {t("transcribeAgain")}
      </Button>
    </li>
  );
}
