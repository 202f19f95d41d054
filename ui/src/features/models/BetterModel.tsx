import { Alert, Button, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useImprovement, type ImprovableFile } from "./data";
import { useDismissed } from "./dismissed";
import styles from "./models.module.css";

const question = (count: number): string =>
  count === 1 ? "Transcribe this file again?" : `Transcribe these ${count} files again?`;

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
      aria-label="A better model is ready"
      className={styles.betterModel}
      data-testid="better-model"
    >
      <p className={styles.betterModelTitle} role="status">
        A better model is ready: {label}. {question(files.length)}
      </p>
      <p>
        The built-in engine worked on {files.length === 1 ? "it" : "them"}: it knows English only
        and errs more often.
        {edited > 0 && ` ${changes(files.length, edited)}`}
      </p>
      <Group gap="xs" mt="xs">
        <Button
          size="compact-md"
          loading={busy}
          onClick={() => void improve(files.map((file) => file.id))}
        >
          {files.length === 1 ? "Transcribe again" : "Transcribe all again"}
        </Button>
        {files.length > 1 && (
          <Button
            size="compact-md"
            variant="default"
            aria-expanded={open}
            aria-controls="better-model-files"
            onClick={list.toggle}
          >
            {open ? "Hide list" : "Select files"}
          </Button>
        )}
        <Button size="compact-md" variant="subtle" onClick={dismiss}>
          Not now
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
  const some = edited === 1 ? "One of them has" : `${edited} of them have`;
  const whose = count === 1 ? "It has" : edited === count ? "They have" : some;
  return (
    `${whose} your changes: they stay until the new captions are there, ` +
    "and Undo in the editor brings them back."
  );
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
      {file.is_edited && <span className="quiet">edited by you</span>}
      <Button
        size="compact-sm"
        variant="default"
        disabled={busy}
        aria-label={`Transcribe ${file.name} again`}
        onClick={onRun}
      >
        Transcribe again
      </Button>
    </li>
  );
}
