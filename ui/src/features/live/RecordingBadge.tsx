import { Link } from "react-router";
import { t } from "../../platform/messages/live";
import { useRecording } from "./recording";
import styles from "./live.module.css";

/** On every page while this browser page records. */
export default function RecordingBadge() {
  const recording = useRecording();
  if (recording === undefined) return null;
  return (
    <Link
      to={`/live/${recording.slug}`}
      className={styles.badge}
      data-testid="recording-badge"
      data-state={recording.state}
      title={t("recordingOf", { name: recording.name })}
    >
      <i aria-hidden="true" />
      {t("recording")}
    </Link>
  );
}
