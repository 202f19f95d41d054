import { Button, Loader, Progress, Text } from "@mantine/core";
import { useState } from "react";
import { canRetryPlayback, useFileActions, type MediaFile } from "./data";
import styles from "./playback.module.css";

/** Replaces the picture while the browser cannot play the file: why, and what to do. */
export function PlaybackWait({ file }: { file: MediaFile }) {
  const { retryPlayback } = useFileActions();
  const [busy, setBusy] = useState(false);
  const { status, progress, error } = file.playback;
  if (status === "preparing") {
    return (
      <div className={styles.playbackWait} role="status">
        <Loader size="sm" color="gray.3" />
        <Text>Preparing the video for playback</Text>
        {progress > 0 && (
          <Progress
            value={progress}
            w={220}
            size={4}
            aria-label={`Preparing playback, ${progress}%`}
          />
        )}
        <Text size="sm" opacity={0.75}>
          You can read and correct the captions in the meantime.
        </Text>
      </div>
    );
  }
  const retry = async () => {
    setBusy(true);
    await retryPlayback(file.slug);
    setBusy(false);
  };
  return (
    <div className={styles.playbackWait} role="alert" data-testid="playback-problem">
      <Text>{error}</Text>
      {canRetryPlayback(file) && (
        <>
          <Text size="sm" opacity={0.75}>
            You can still correct the captions and export the video.
          </Text>
          <Button variant="light" loading={busy} onClick={() => void retry()}>
            Try again
          </Button>
        </>
      )}
    </div>
  );
}
