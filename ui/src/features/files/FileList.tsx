import { Alert } from "@mantine/core";
import { EmptyState } from "./EmptyState";
import { FileCard } from "./FileCard";
import { useFiles } from "./data";

/** All files of the person, newest first, with what each is doing. */
export function FileList({ onAdd }: { onAdd?: () => void }) {
  const { data: files, error } = useFiles();
  if (error !== undefined && files === undefined) {
    return (
      <Alert color="red" role="alert">
        {error.message}
      </Alert>
    );
  }
  if (files === undefined || files.length === 0) {
    return (
      <EmptyState
        loading={files === undefined}
        title="No files yet"
        description="Upload a video or an audio recording and its captions appear here while it is being heard."
        action={onAdd === undefined ? undefined : { label: "Upload a file", onClick: onAdd }}
      />
    );
  }
  return (
    <ul className="files">
      {files.map((file) => (
        <FileCard key={file.id} file={file} />
      ))}
    </ul>
  );
}
