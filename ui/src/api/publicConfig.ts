import useSWR from "swr";
import { api, unwrap } from "./client";
import { keys } from "./keys";

/** What the server tells every page: where realtime and uploads live, the upload rules, the languages. */
export function usePublicConfig() {
  return useSWR(keys.config, async () => (await unwrap(api.GET("/api/config"))).data, {
    revalidateOnFocus: false,
  }).data;
}
