import styles from "./badge.module.css";

export type Severity = "danger" | "success" | "info" | "warn" | "secondary";

/** Status → severity, as the specification's section 9 has it for files; uploads and exports follow the same sense. */
export const SEVERITY: Record<string, Severity> = {
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
  canceled: "secondary",
};

const MOVING = new Set(["processing", "uploading", "transcribing", "progressing"]);

/** What asks for a choice is no failure, whatever its status is called. */
const QUESTIONS: Record<string, string> = { language_unsupported: "Choose a language" };

/** Beside the status: work that leaves it alone, such as an export. */
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

export function StatusBadge({ status, code = null }: { status: string; code?: string | null }) {
  const question = status === "failed" && code !== null ? QUESTIONS[code] : undefined;
  const severity = question === undefined ? (SEVERITY[status] ?? "secondary") : "warn";
  return (
    <span
      className={MOVING.has(status) ? `${styles.badge} ${styles.badgeMoving}` : styles.badge}
      data-testid="status"
      data-status={status}
      data-severity={severity}
    >
      <i aria-hidden="true" />
      {question ?? status.charAt(0).toUpperCase() + status.slice(1)}
    </span>
  );
}
