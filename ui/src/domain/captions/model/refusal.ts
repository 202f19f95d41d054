/** Why a command cannot be done, in the server's sentences. */
import { t } from "../../../platform/messages/editor";

export const LOCKED = t("lineLocked");
export const OUTSIDE = t("outside");
export const BACKWARDS = t("backwards");
/** 99:59:59,999, the latest time that SRT can express. */
export const LATEST_MS = 359_999_999;

/** Thrown inside the model only: `apply` turns it into an outcome. */
export class Refusal extends Error {}
