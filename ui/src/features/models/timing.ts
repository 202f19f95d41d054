import type { Schemas } from "../../platform/api/client";

type Model = Schemas["ModelOut"];

const MOVING_MS = 2_000;
const WAITING_MS = 15_000;
const STEADY_MS = 60_000;

/** When to poll the model: often while something moves, rarely otherwise, because a model may arrive at any time. */
export function lookAgainMs(model: Model | undefined): number {
  if (model === undefined || model.state === "starting") return MOVING_MS;
  const state = model.fetch?.state;
  if (state === "running" || (state === "ready" && model.engine === "pocketsphinx"))
    return MOVING_MS;
  return state === "paused" ? WAITING_MS : STEADY_MS;
}
