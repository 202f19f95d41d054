/** Why a command cannot be done, in the server's sentences. */
export const LOCKED = "This line is locked. Unlock it first, from its menu or with its key.";
export const OUTSIDE = "A caption must lie between 00:00:00,000 and 99:59:59,999.";
export const BACKWARDS = "A line must end after it starts. Check the two times.";
/** 99:59:59,999, the latest time that SRT can express. */
export const LATEST_MS = 359_999_999;

/** Thrown inside the model only: `apply` turns it into an outcome. */
export class Refusal extends Error {}
