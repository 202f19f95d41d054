import { t } from "../../i18n/en/uploads";
import { IconUpload } from "../../theme/icons";
import styles from "./uploads.module.css";

/** What the upload area says. The page shows it before the uploader has loaded. */
export function DropText({ over = false }: { over?: boolean }) {
  return (
    <>
      <span className={styles.dropzoneMark} aria-hidden="true">
        <IconUpload size={26} stroke={1.6} />
      </span>
      <div className={styles.dropzoneText}>
        <p className={styles.dropzoneTitle}>
          {over ? t("dropToUpload") : t("dropVideoOrAudioHere")}
        </p>
        <p className="quiet">{t("uploadsStartRightAwayAnd")}</p>
      </div>
    </>
  );
}
