import { t } from "../../platform/messages/files";
import { bytes } from "../../domain/files/format";
import { IconUpload } from "../../platform/theme/icons";
import type { UploadConfig } from "./transfer/uploader";
import styles from "./uploads.module.css";

/** What the upload area says. The page shows it before the uploader has loaded. */
export function DropText({ over = false, config }: { over?: boolean; config?: UploadConfig }) {
  return (
    <>
      <span className={styles.dropzoneMark} aria-hidden="true">
        <IconUpload size={26} stroke={1.6} />
      </span>
      <div className={styles.dropzoneText}>
        <p className={styles.dropzoneTitle}>
          {over ? t("uploads.drop.now") : t("uploads.drop.label")}
        </p>
        <p className="quiet">{t("uploads.drop.about")}</p>
        {config !== undefined && (
          <p className="quiet" data-testid="upload-limits">
            {t("uploads.limits", { hours: hoursOf(config), size: bytes(config.max_bytes) })}
          </p>
        )}
      </div>
    </>
  );
}

/** The longest recording in hours, as people say it. */
export const hoursOf = ({ max_duration_ms }: UploadConfig): number =>
  Math.round(max_duration_ms / 360_000) / 10;
