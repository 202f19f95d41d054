/** How the editor handles a failed save. */
import { ApiError } from "../../../api/client";
import { StaleLine } from "../calls";

export type Failure =
  /**
   * The change itself is fine: it waits, and is resent automatically if `again` is set. `isAway`: the server could not
   * be reached. `isClosed`: this person may not change these captions any more, or they are in the bin.
   */
  | { kind: "wait"; message: string; again: boolean; isAway?: boolean; isClosed?: boolean }
  /** Somebody else changed it first. */
  | { kind: "stale"; message: string }
  /** The server refuses it; resending would not help. */
  | { kind: "refused"; message: string };

const PASSING = new Set([0, 408, 425, 429]);
/** No answer, or one by a proxy in front of a server that is not there. */
const AWAY = new Set([0, 502, 503, 504]);
/** It concerns the whole file: refusing one change after the other would take all of them from the person. */
const CLOSED = new Set([403, 404, 410]);

export function afterFailure(error: unknown): Failure {
  if (error instanceof StaleLine) return { kind: "stale", message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApiError)) return { kind: "wait", message, again: true };
  if (error.status === 401 || error.status === 419) return { kind: "wait", message, again: false };
  if (error.status === 409) return { kind: "stale", message };
  if (PASSING.has(error.status) || error.status >= 500) {
    return { kind: "wait", message, again: true, isAway: AWAY.has(error.status) };
  }
  if (CLOSED.has(error.status)) return { kind: "wait", message, again: false, isClosed: true };
  return { kind: "refused", message };
}
