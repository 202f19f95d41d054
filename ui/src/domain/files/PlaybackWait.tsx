import { Button, Loader, Progress, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/processing";
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
        <Text>{t("playback.preparing")}</Text>
        {progress > 0 && (
          <Progress
            value={progress}
            w={220}
            size={4}
            aria-label={t("playback.preparingAt", { progress })}
          />
        )}
        <Text size="sm" opacity={0.75}>
          {t("playback.readNow")}
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
      {file.may_change && canRetryPlayback(file) && (
        <>
          <Text size="sm" opacity={0.75}>
            {t("playback.correctNow")}
          </Text>
          <Button variant="light" loading={busy} onClick={() => void retry()}>
            {t("tryAgain")}
          </Button>
        </>
      )}
    </div>
  );
}
