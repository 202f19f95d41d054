import useSWR from "swr";
import { api, unwrap, type Schemas } from "./client";
import { keys } from "./keys";

type PublicConfig = Schemas["PublicConfig"];

/** While the speech model starts, and afterwards: another model may be loaded at any time. */
const STARTING_MS = 3_000;
const LOOK_AGAIN_MS = 60_000;

let held: PublicConfig | undefined;

/** Parts that did not change stay the same objects: a new one would connect realtime anew. */
async function fetchConfig(): Promise<PublicConfig> {
  const fresh = (await unwrap(api.GET("/api/config"))).data;
  const same =
    held !== undefined && JSON.stringify(held.realtime) === JSON.stringify(fresh.realtime);
  held = same && held !== undefined ? { ...fresh, realtime: held.realtime } : fresh;
  return held;
}

/** What the server tells every page: where realtime and uploads live, the upload rules, the languages. */
export function usePublicConfig() {
  return useSWR(keys.config, fetchConfig, {
    revalidateOnFocus: false,
    refreshInterval: (config) => (config?.model_state === "starting" ? STARTING_MS : LOOK_AGAIN_MS),
  }).data;
}
