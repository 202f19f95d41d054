import { ActionIcon, Button, Group, Progress, Tooltip } from "@mantine/core";
import { t } from "../../platform/messages/library";
import { bytes } from "../../domain/files/format";
import { StatusBadge } from "../../domain/files/StatusBadge";
import { IconX } from "../../platform/theme/icons";
import type { Upload } from "./data";
import { continueWords } from "./transfer/remembered";
import styles from "./uploads.module.css";

/** An interrupted upload from an earlier visit. The browser cannot reopen the file by itself. */
export function InterruptedRow({
  upload,
  remembered,
  onDiscard,
}: {
  upload: Upload;
  remembered: ReadonlySet<string>;
  onDiscard: () => Promise<void>;
}) {
  const total = upload.filesize ?? 0;
  const percent = total > 0 ? Math.floor((upload.bytes_uploaded / total) * 100) : 0;
  return (
    <li className={styles.upload} data-testid="upload" data-state={upload.status}>
      <div className={styles.uploadBody}>
        <div className={styles.uploadHead}>
          <span className={styles.uploadName} title={upload.filename}>
            {upload.filename}
          </span>
          <StatusBadge status={upload.status} />
        </div>
        <Progress
          value={percent}
          size={5}
          color="gray"
          aria-label={t("uploads.stopped.label", { filename: upload.filename, percent })}
        />
        <span className={styles.uploadState}>
          {total > 0 && (
            <span className="tabular">
              {t("uploads.sent.of", {
                bytesUploaded: bytes(upload.bytes_uploaded),
                total: bytes(total),
              })}{" "}
            </span>
          )}
          {continueWords(upload, remembered)}
        </span>
      </div>
      <Group gap={6} wrap="nowrap">
        <Button
          variant="light"
          size="compact-md"
          onClick={() => document.getElementById("upload-input")?.click()}
        >
          {t("uploads.choose")}
        </Button>
        <Tooltip label={t("uploads.discard")}>
          <ActionIcon
            size="lg"
            aria-label={t("uploads.discard.named", { filename: upload.filename })}
            onClick={() => void onDiscard()}
          >
            <IconX size={18} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </li>
  );
}
