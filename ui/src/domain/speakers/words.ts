/** The state of a detection in words. */
import { t } from "../../platform/messages/speakers";
import type { Speakers } from "./data";

type State = Pick<Speakers, "state" | "progress" | "queue_place" | "error" | "speakers">;

export function detectionWords({ state, progress, queue_place, error, speakers }: State): string {
  switch (state) {
    case "none":
      return t("detection.never");
    case "omitted":
      return t("notDetected");
    case "waiting":
      return queue_place === null
        ? t("detection.waiting")
        : t("detection.queued", { queuePlace: queue_place });
    case "running":
      return t("detection.running", { progress });
    case "ready":
      return t("count", { speakers: speakers.length });
    case "failed":
      return error ?? t("detection.failed");
    case "cancelled":
      return t("detection.cancelled");
  }
}
