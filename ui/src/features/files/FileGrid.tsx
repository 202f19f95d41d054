import { Alert, Button } from "@mantine/core";
import { t } from "../../platform/messages/files";
import type { MediaFile } from "../../domain/files/data";
import { FileCard } from "./FileCard";
import styles from "./files.module.css";

interface Props {
  files: MediaFile[];
  label?: string;
  /** Given where the cards can be dragged to another project: the one they are in. */
  dragFrom?: string;
}

export function FileGrid({ files, label = t("files"), dragFrom }: Props) {
  return (
    <ul className={styles.files} aria-label={label}>
      {files.map((file) => (
        <FileCard key={file.id} file={file} dragFrom={dragFrom} />
      ))}
    </ul>
  );
}

/** Shown instead of a list that could not be loaded. */
export function ListProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Alert color="red" role="alert" title={t("loadFailed")}>
      {error.message}
      <Button mt="sm" size="compact-md" variant="light" onClick={onRetry}>
        {t("tryAgain")}
      </Button>
    </Alert>
  );
}
