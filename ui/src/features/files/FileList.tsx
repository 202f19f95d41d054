import { Alert, Button } from "@mantine/core";
import { EmptyState } from "../../layouts/EmptyState";
import { useFiles } from "./data";
import { FileCard } from "./FileCard";

/** All files of the person, newest first, with what each is doing. */
export function FileList({ onAdd }: { onAdd: () => void }) {
  const { data: files, error, mutate } = useFiles();
  if (files === undefined && error !== undefined) {
    return (
      <Alert color="red" role="alert" title="Your files could not be loaded">
        {error.message}
        <Button mt="sm" size="compact-md" variant="light" onClick={() => void mutate()}>
          Try again
        </Button>
      </Alert>
    );
  }
  if (files === undefined || files.length === 0) {
    return (
      <EmptyState
        loading={files === undefined}
        title="No files yet"
        description="Upload a video or a recording. Its captions appear here while it is being heard."
        hero="listening"
        add={{ label: "Upload a file", contentType: "file", onAdd }}
      />
    );
  }
  return (
    <ul className="files" aria-label="Files">
      {files.map((file) => (
        <FileCard key={file.id} file={file} />
      ))}
    </ul>
  );
}
