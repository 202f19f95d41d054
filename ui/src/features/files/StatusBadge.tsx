import { asksLanguage } from "../languages/asksLanguage";
import { waitsForMinutes } from "../ledger/quota";
import type { Upload } from "../uploads/data";
import type { FileStatus, MediaExport } from "./data";
import styles from "./badge.module.css";

type Status = FileStatus | MediaExport["status"] | Upload["status"];
type Severity = "danger" | "success" | "info" | "warn" | "secondary";

/** Status → severity, as specified for files; uploads and exports follow the same logic. */
const SEVERITY: Record<Status, Severity> = {
  failed: "danger",
  error: "danger",
  completed: "success",
  complete: "success",
  processing: "info",
  uploading: "info",
  transcribing: "info",
  progressing: "info",
  waiting: "warn",
  submitted: "warn",
  incomplete: "warn",
  abandoned: "secondary",
  cancelled: "secondary",
  idle: "secondary",
  uploaded: "secondary",
  canceled: "secondary",
};

const LABELS: Partial<Record<Status, string>> = {
  abandoned: "Cancelled",
  canceled: "Cancelled",
  error: "Failed",
  progressing: "Exporting",
  submitted: "Queued",
};

const labelOf = (status: Status): string =>
  LABELS[status] ?? status.charAt(0).toUpperCase() + status.slice(1);

const MOVING = new Set<Status>(["processing", "uploading", "transcribing", "progressing"]);

/** Work beside the status, such as an export. */
export function ActivityBadge({ words }: { words: string }) {
  return (
    <span
      className={`${styles.badge} ${styles.badgeMoving} tabular`}
      data-severity="info"
      data-testid="activity"
    >
      <i aria-hidden="true" />
      {words}
    </span>
  );
}

/** What a file waits for from the person, by the code of its refusal. */
function questionOf(error_code: string | null): string | undefined {
  if (asksLanguage({ error_code })) return "Choose a language";
  return waitsForMinutes({ error_code }) ? "Waits for minutes" : undefined;
}

export function StatusBadge({ status, code = null }: { status: Status; code?: string | null }) {
  // A file that waits for an answer has not failed, whatever its status is called.
  const asks = status === "failed" ? questionOf(code) : undefined;
  const severity = asks !== undefined ? "warn" : SEVERITY[status];
  return (
    <span
      className={MOVING.has(status) ? `${styles.badge} ${styles.badgeMoving}` : styles.badge}
      data-testid="status"
      data-status={status}
      data-severity={severity}
    >
      <i aria-hidden="true" />
      {asks ?? labelOf(status)}
    </span>
  );
}
