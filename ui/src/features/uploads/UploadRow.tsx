import { ActionIcon, Group, Progress, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../platform/messages/files";
import { t as tLibrary } from "../../platform/messages/library";
import { bytes, timeLeft } from "../../domain/files/format";
import {
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconRefresh,
  IconX,
} from "../../platform/theme/icons";
import { useThumbnail } from "./thumbnails/useThumbnail";
import { LanguageSelect } from "../../domain/languages/LanguageSelect";
import type { UploadFile } from "./transfer/uploader";
import { chooseLanguage, type UploadHub } from "./transfer/uploadHub";
import styles from "./uploads.module.css";

type State = "new" | "uploading" | "paused" | "complete" | "errored";

export function stateOf(file: UploadFile): State {
  if (file.error) return "errored";
  if (file.progress.uploadComplete === true) return "complete";
  if (file.isPaused === true) return "paused";
  return file.progress.uploadStarted ? "uploading" : "new";
}

/** One uploading file. The time left comes from the average speed so far. */
export function UploadRow({ hub, file }: { hub: UploadHub; file: UploadFile }) {
  const { uppy, meter } = hub;
  const total = file.size ?? 0;
  const sent = Number(file.progress.bytesUploaded) || 0;
  const percent = total > 0 ? Math.floor((sent / total) * 100) : 0;
  const state = stateOf(file);
  const picture = useThumbnail(file.data instanceof Blob ? file.data : undefined, file.type ?? "");
  const left = meter.left(file.id, sent, total);
  const words: Record<State, string> = {
    new: t("uploads.starting"),
    uploading: t("uploads.sent.ofLeft", {
      sent: bytes(sent),
      total: bytes(total),
      value: left === undefined ? "" : ` · ${timeLeft(left)}`,
    }),
    paused: t("uploads.paused", { percent }),
    complete: t("uploads.uploaded"),
    errored: file.error ?? "",
  };
  return (
    <li className={styles.upload} data-testid="upload" data-state={state}>
      {picture !== undefined && (
        <img src={picture} alt="" className={styles.thumbnail} data-testid="thumbnail" />
      )}
      <div className={styles.uploadBody}>
        <div className={styles.uploadHead}>
          <span className={styles.uploadName} title={file.name}>
            {file.name}
          </span>
          <span className="quiet tabular">{percent}%</span>
        </div>
        <Progress
          value={percent}
          size={5}
          color={state === "errored" ? "red" : state === "paused" ? "gray" : "spruce"}
          aria-label={t("uploads.progress.label", { fileName: file.name, percent })}
        />
        <span
          className={`${styles.uploadState} ${state === "errored" ? "danger-text" : "tabular"}`}
          role={state === "errored" ? "alert" : undefined}
        >
          {words[state]}
        </span>
      </div>
      <Group gap={2} wrap="nowrap">
        <LanguageSelect
          aria-label={t("uploads.language.label", { fileName: file.name })}
          size="xs"
          w={168}
          value={file.meta.language ?? null}
          onChange={(code) => void chooseLanguage(hub, file, code)}
        />
        {state === "errored" && (
          <Action
            label={t("uploads.retry.named", { fileName: file.name })}
            onClick={() => void uppy.retryUpload(file.id)}
          >
            <IconRefresh size={18} />
          </Action>
        )}
        {(state === "uploading" || state === "paused") && (
          <Action
            label={`${state === "paused" ? tLibrary("uploads.resume") : tLibrary("uploads.pause")} ${file.name}`}
            onClick={() => uppy.pauseResume(file.id)}
          >
            {state === "paused" ? (
              <IconPlayerPlayFilled size={17} />
            ) : (
              <IconPlayerPauseFilled size={17} />
            )}
          </Action>
        )}
        {state !== "complete" && (
          <Action
            label={t("uploads.cancel.named", { fileName: file.name })}
            onClick={() => uppy.removeFile(file.id)}
          >
            <IconX size={18} />
          </Action>
        )}
      </Group>
    </li>
  );
}

interface ActionProps {
  label: string;
  onClick: () => void;
  children: ReactNode;
}

function Action({ label, onClick, children }: ActionProps) {
  return (
    <Tooltip label={label.split(" ")[0]}>
      <ActionIcon size="lg" aria-label={label} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
