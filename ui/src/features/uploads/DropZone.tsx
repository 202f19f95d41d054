import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { getDroppedFiles } from "@uppy/core/utils";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { t } from "../../platform/messages/files";
import { t as tLibrary } from "../../platform/messages/library";
import { IconVideo } from "../../platform/theme/icons";
import { DropText } from "./DropText";
import type { UploadConfig } from "./transfer/uploader";
import styles from "./uploads.module.css";

interface Props {
  config: UploadConfig;
  onFiles: (files: File[]) => void;
  /** Options of what is added. */
  children: ReactNode;
  /** Another way to begin, below the button. */
  other?: ReactNode;
}

const carriesFiles = (event: DragEvent): boolean =>
  event.dataTransfer?.types.includes("Files") ?? false;

/** Where people choose files. Dropping works anywhere on the page. */
export function DropZone({ config, onFiles, children, other }: Props) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const canRecord = useMediaQuery("(pointer: coarse)");
  const held = useRef(onFiles);
  useEffect(() => {
    held.current = onFiles;
  });

  useEffect(() => {
    let depth = 0;
    const show = (change: number) => {
      depth = change === 0 ? 0 : depth + change;
      setOver(depth > 0);
    };
    const enter = (event: DragEvent) => carriesFiles(event) && show(1);
    const leave = (event: DragEvent) => carriesFiles(event) && show(-1);
    const keep = (event: DragEvent) => carriesFiles(event) && event.preventDefault();
    const drop = (event: DragEvent) => {
      if (!carriesFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      show(0);
      void getDroppedFiles(event.dataTransfer).then((files) => held.current(files));
    };
    window.addEventListener("dragenter", enter);
    window.addEventListener("dragleave", leave);
    window.addEventListener("dragover", keep);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragenter", enter);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("dragover", keep);
      window.removeEventListener("drop", drop);
    };
  }, []);

  return (
    <div
      className={over ? `${styles.dropzone} ${styles.dropzoneOver}` : styles.dropzone}
      data-testid="dropzone"
    >
      <DropText over={over} config={config} />
      <div className={styles.dropzoneChoose}>
        {children}
        <div className={styles.buttons}>
          <Button size="sm" onClick={() => input.current?.click()}>
            {t("uploads.chooseFiles")}
          </Button>
          {canRecord && (
            <Button
              size="sm"
              variant="default"
              leftSection={<IconVideo size={17} />}
              onClick={() => camera.current?.click()}
            >
              {tLibrary("uploads.record")}
            </Button>
          )}
          {other}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        id="upload-input"
        data-testid="upload-input"
        aria-label={t("uploads.list.label")}
        accept={config.accepted.join(",")}
        onChange={(event) => {
          onFiles(Array.from(event.currentTarget.files ?? []));
          event.currentTarget.value = "";
        }}
      />
      {/* The camera of a phone keeps its recording itself, so that nothing is lost while it uploads. */}
      <input
        ref={camera}
        type="file"
        hidden
        aria-label={tLibrary("uploads.record")}
        accept="video/*"
        capture="environment"
        data-testid="record-input"
        onChange={(event) => {
          onFiles(Array.from(event.currentTarget.files ?? []));
          event.currentTarget.value = "";
        }}
      />
    </div>
  );
}
