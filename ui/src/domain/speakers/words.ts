/** The state of a detection in words. */
import { t } from "../../platform/i18n/en/speakers";
import type { Speakers } from "./data";

type State = Pick<Speakers, "state" | "progress" | "queue_place" | "error" | "speakers">;

export function detectionWords({ state, progress, queue_place, error, speakers }: State): string {
  switch (state) {
    case "none":
      return t("nobodyHasLookedForSpeakers");
    case "omitted":
      return t("notDetected");
    case "waiting":
      return queue_place === null
        ? t("waitingToDetectWhoSpeaks")
        : t("waitingToDetectWhoSpeaksNumber", { queuePlace: queue_place });
    case "running":
      return t("detectingWhoSpeaksProgress", { progress });
    case "ready":
      return t("speakers2", { speakers: speakers.length });
    case "failed":
      return error ?? t("theDetectionFailed");
    case "cancelled":
      return t("theDetectionWasCancelled");
  }
}
