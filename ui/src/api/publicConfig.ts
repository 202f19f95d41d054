import useSWR from "swr";
import { api, unwrap, type Schemas } from "./client";
import { keys } from "./keys";

type PublicConfig = Schemas["PublicConfig"];

/** While the speech model starts, and afterwards: another model may be loaded at any time. */
const STARTING_MS = 3_000;
const LOOK_AGAIN_MS = 60_000;

let latest: PublicConfig | undefined;

/** Parts that did not change stay the same objects: a new one would connect realtime anew. */
async function fetchConfig(): Promise<PublicConfig> {
  const fresh = (await unwrap(api.GET("/api/config"))).data;
  const same =
    latest !== undefined && JSON.stringify(latest.realtime) === JSON.stringify(fresh.realtime);
  latest = same && latest !== undefined ? { ...fresh, realtime: latest.realtime } : fresh;
  return latest;
}

/** The configuration outside of React; undefined until it has been fetched once. */
export const latestConfig = (): PublicConfig | undefined => latest;

/** What the server tells every page: where realtime and uploads live, the limits, the languages. */
export function usePublicConfig() {
  return useSWR(keys.config, fetchConfig, {
    revalidateOnFocus: false,
    refreshInterval: (config) => (config?.model_state === "starting" ? STARTING_MS : LOOK_AGAIN_MS),
  }).data;
}
