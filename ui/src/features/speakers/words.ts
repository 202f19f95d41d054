/** The state of a detection in words. */
import type { Speakers } from "./data";

type State = Pick<Speakers, "state" | "progress" | "queue_place" | "error" | "speakers">;

export function detectionWords({ state, progress, queue_place, error, speakers }: State): string {
  switch (state) {
    case "none":
      return "Nobody has looked for speakers yet.";
    case "waiting":
      return queue_place === null
        ? "Waiting to detect who speaks …"
        : `Waiting to detect who speaks: number ${queue_place} in the queue.`;
    case "running":
      return `Detecting who speaks … ${progress} %`;
    case "ready":
      return speakers.length === 1 ? "1 speaker" : `${speakers.length} speakers`;
    case "failed":
      return error ?? "The detection failed.";
    case "cancelled":
      return "The detection was cancelled.";
  }
}
