import type { ReactNode } from "react";
import styles from "./severityBadge.module.css";

export type Severity = "primary" | "danger" | "success" | "info" | "warn" | "secondary";

interface Props {
  severity: Severity;
  children: ReactNode;
  /** With a dot before the words, as files have it; `moving` makes it breathe while something runs. */
  dot?: "still" | "moving";
  testId?: string;
  status?: string;
}

/** A state in one or two words, in the colour of its severity. */
export function SeverityBadge({ severity, children, dot, testId, status }: Props) {
  return (
    <span
      className={`${styles.badge} tabular`}
      data-severity={severity}
      data-dot={dot}
      data-testid={testId}
      data-status={status}
    >
      {dot !== undefined && <i aria-hidden="true" />}
      {children}
    </span>
  );
}
