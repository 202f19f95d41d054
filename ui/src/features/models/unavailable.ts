import type { Model } from "./data";

/** Tasks that cannot be used now. Speech recognition has a line of its own. */
export function unavailable(models: Model[] | undefined): Model[] {
  return (models ?? []).filter(
    ({ task, state }) => task !== "transcription" && (state === "missing" || state === "failed"),
  );
}
