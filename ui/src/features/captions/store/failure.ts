/** How the editor handles a failed save. */
import { ApiError } from "../../../api/client";
import { StaleLine } from "../calls";

export type Failure =
  /** The change itself is fine: it waits, and is resent automatically if `again` is set. */
  | { kind: "wait"; message: string; again: boolean }
  /** Somebody else changed it first. */
  | { kind: "stale"; message: string }
  /** The server refuses it; resending would not help. */
  | { kind: "refused"; message: string };

const PASSING = new Set([0, 408, 425, 429]);

export function afterFailure(error: unknown): Failure {
  if (error instanceof StaleLine) return { kind: "stale", message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApiError)) return { kind: "wait", message, again: true };
  if (error.status === 401 || error.status === 419) return { kind: "wait", message, again: false };
  if (error.status === 409) return { kind: "stale", message };
  if (PASSING.has(error.status) || error.status >= 500) {
    return { kind: "wait", message, again: true };
  }
  return { kind: "refused", message };
}
