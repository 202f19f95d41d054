import useSWR from "swr";
import { api, unwrap, type Schemas } from "./client";
import { begunOr } from "./early";
import { offlineAnswer } from "./offlineAnswer";
import { keys } from "./keys";

type PublicConfig = Schemas["PublicConfig"];

/** Intervals while the speech model starts and afterwards, because another model may load at any time. */
const STARTING_MS = 3_000;
const LOOK_AGAIN_MS = 60_000;

let latest: PublicConfig | undefined;

export const fetchConfig = async (): Promise<PublicConfig> =>
  adoptConfig(
    await unwrap(api.GET("/api/config")).then(
      ({ data }) => data,
      (error: unknown) => offlineAnswer<PublicConfig>(keys.config, error),
    ),
  );

/** Let the pages work by it. Unchanged parts stay the same objects, because a new one would reconnect realtime. */
export function adoptConfig(fresh: PublicConfig): PublicConfig {
  const same =
    latest !== undefined && JSON.stringify(latest.realtime) === JSON.stringify(fresh.realtime);
  latest = same && latest !== undefined ? { ...fresh, realtime: latest.realtime } : fresh;
  return latest;
}

/** The configuration for code outside React; undefined until the first fetch. */
export const latestConfig = (): PublicConfig | undefined => latest;

/**
 * A limit for code outside React. Before the first fetch there is none: the server refuses what is
 * too long or too many in any case.
 */
export const limitOf = <Group extends "text_limits" | "count_limits">(
  group: Group,
  name: keyof PublicConfig[Group],
): number => (latest?.[group][name] as number | undefined) ?? Number.POSITIVE_INFINITY;

/** The public configuration: realtime and upload addresses, limits, languages. */
export function usePublicConfig() {
  return useSWR(keys.config, () => begunOr(keys.config, fetchConfig), {
    revalidateOnFocus: false,
    refreshInterval: (config) => (config?.model_state === "starting" ? STARTING_MS : LOOK_AGAIN_MS),
  }).data;
}
