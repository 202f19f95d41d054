import { useSWRConfig } from "swr";
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { keys, staleBy } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/admin";
import { toast } from "../../../platform/notices/toast";

export type RunningLive = Schemas["RunningLive"];
export const LIVE = "/api/admin/live";
/** So often the list is read again while it is open. */
export const LOOK_MS = 3000;
/** Captions this far behind are late, and a recording this quiet may be forgotten. */
export const LATE_MS = 5000;
export const QUIET_MS = 60_000;

/** End a recording. Whatever the answer, the list is read again. */
export function useEndLive() {
  const { mutate } = useSWRConfig();
  return async (live: RunningLive) => {
    try {
      await unwrap(
        api.POST("/api/admin/live/{file_id}/end", { params: { path: { file_id: live.id } } }),
      );
      toast("success", t("live.ended", { name: live.name }));
    } catch (error) {
      toast("error", (error as Error).message);
    }
    await mutate(staleBy(keys.admin));
  };
}
