import { ApiError, sentenceOf } from "../../platform/api/client";
import { t } from "../../platform/messages/live";
import { NoTabSound } from "./capture/capture";

/** Why a recording could not be started, as a sentence. The browser's own errors are in English and say little. */
export function problemOf(error: unknown): string {
  if (error instanceof ApiError) return sentenceOf(error, t("startFailed"));
  if (error instanceof NoTabSound) return t("noTabSound");
  if ((navigator.mediaDevices as MediaDevices | undefined) === undefined) return t("unsupported");
  const name = error instanceof DOMException ? error.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return t("notAllowed");
  if (name === "NotFoundError" || name === "OverconstrainedError") return t("noDevice");
  return t("startFailed");
}
