import { ActionIcon, Group, Progress, Text } from "@mantine/core";
import { bytes, timeLeft } from "../files/format";
import type { UploadFile, Uploader } from "./uploader";

/** One file on its way up. Time left comes from the average speed so far. */
export function UploadRow({ uppy, file }: { uppy: Uploader; file: UploadFile }) {
  const { progress } = file;
  const total = file.size ?? 0;
  const sent = Number(progress.bytesUploaded) || 0;
  const percent = total > 0 ? Math.floor((sent / total) * 100) : 0;
  const seconds = progress.uploadStarted ? (Date.now() - progress.uploadStarted) / 1000 : 0;
  const left =
    sent > 0 && seconds > 1 && sent < total ? timeLeft((seconds * (total - sent)) / sent) : "";
  const state = file.error
    ? file.error
    : file.isPaused === true
      ? `Paused at ${percent} %`
      : `${bytes(sent)} of ${bytes(total)}${left === "" ? "" : ` · ${left}`}`;
  return (
    <li className="card upload" data-testid="upload">
      <div className="upload-body">
        <Text fw={600} truncate title={file.name}>
          {file.name}
        </Text>
        <Progress
          value={percent}
          color={file.error ? "red" : "spruce"}
          aria-label={`Upload of ${file.name}`}
          size="sm"
        />
        <Text size="sm" className="quiet tabular" role={file.error ? "alert" : undefined}>
          {state}
        </Text>
      </div>
      <Group gap={4} wrap="nowrap">
        {file.error ? (
          <ActionIcon
            variant="light"
            aria-label={`Retry ${file.name}`}
            onClick={() => void uppy.retryUpload(file.id)}
          >
            ↻
          </ActionIcon>
        ) : (
          <ActionIcon
            variant="light"
            aria-label={`${file.isPaused === true ? "Resume" : "Pause"} ${file.name}`}
            onClick={() => uppy.pauseResume(file.id)}
          >
            {file.isPaused === true ? "▶" : "⏸"}
          </ActionIcon>
        )}
        <ActionIcon
          variant="light"
          color="red"
          aria-label={`Cancel ${file.name}`}
          onClick={() => uppy.removeFile(file.id)}
        >
          ×
        </ActionIcon>
      </Group>
    </li>
  );
}
