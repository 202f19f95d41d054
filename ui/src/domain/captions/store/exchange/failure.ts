/** How the editor handles a failed save. */
import { ApiError, isAway } from "../../../../platform/api/client";
import { StaleLine } from "../../calls";

/** Why captions take no changes: they are deleted or in the bin, or this person may only look at them. */
export type Closed = "gone" | "lookOnly";

export type Failure =
  /**
   * The change itself is fine: it waits, and is resent automatically if `again` is set. `isAway`: the server could not
   * be reached.
   */
  | { kind: "wait"; message: string; again: boolean; isAway?: boolean; closed?: Closed }
  /** Somebody else changed it first. */
  | { kind: "stale"; message: string }
  /** The server refuses it; resending would not help. */
  | { kind: "refused"; message: string };

const PASSING = new Set([0, 408, 425, 429]);
/** It concerns the whole file: refusing one change after the other would take all of them from the person. */
const CLOSED: Partial<Record<number, Closed>> = { 403: "lookOnly", 404: "gone", 410: "gone" };
/** The captions in this language are deleted, while the file is there. */
const NO_TRACK = "no_captions_in_language";
const LEFT_TEAM = "not_your_team";
/** The person has to do something about their account first. */
const UNCONFIRMED = new Set(["email_unverified", "second_factor_missing"]);

export function afterFailure(error: unknown): Failure {
  if (error instanceof StaleLine) return { kind: "stale", message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ApiError)) return { kind: "wait", message, again: true };
  // The page names a team that this person has left, and stops doing so at once.
  if (error.code === LEFT_TEAM) return { kind: "wait", message, again: true };
  if (UNCONFIRMED.has(error.code)) return { kind: "wait", message, again: false };
  if (error.status === 401 || error.status === 419) return { kind: "wait", message, again: false };
  if (error.status === 409) return { kind: "stale", message };
  if (PASSING.has(error.status) || error.status >= 500) {
    return { kind: "wait", message, again: true, isAway: isAway(error) };
  }
  const closed = error.code === NO_TRACK ? "gone" : CLOSED[error.status];
  if (closed !== undefined) return { kind: "wait", message, again: false, closed };
  return { kind: "refused", message };
}
