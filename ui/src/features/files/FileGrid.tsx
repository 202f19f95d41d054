import { Alert, Button } from "@mantine/core";
import type { MediaFile } from "./data";
import { FileCard } from "./FileCard";
import styles from "./files.module.css";

export function FileGrid({ files }: { files: MediaFile[] }) {
  return (
    <ul className={styles.files} aria-label="Files">
      {files.map((file) => (
        <FileCard key={file.id} file={file} />
      ))}
    </ul>
  );
}

/** Shown instead of a list that could not be loaded. */
export function ListProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Alert color="red" role="alert" title="We could not load your files">
      {error.message}
      <Button mt="sm" size="compact-md" variant="light" onClick={onRetry}>
        Try again
      </Button>
    </Alert>
  );
}
