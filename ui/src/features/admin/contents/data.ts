import useSWR, { useSWRConfig } from "swr";
import { send, type Schemas } from "../../../platform/api/client";
import { keys, staleBy } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/admin";
import { toast } from "../../../platform/notices/toast";

export type Content = Schemas["ContentOut"];
export type ContentDetail = Schemas["ContentDetail"];
export type ContentPage = Schemas["ContentPage"];

export const CONTENTS = "/api/admin/contents";
const MOVING_MS = 5_000;

export function useContent(slug: string) {
  const url = `${CONTENTS}/${encodeURIComponent(slug)}`;
  return useSWR<ContentDetail, Error>(
    keys.adminList(url),
    async () => (await send<{ data: ContentDetail }>("GET", url)).data,
    { refreshInterval: (file) => (file?.can_cancel ? MOVING_MS : 0) },
  );
}

export type ContentAction = "retry" | "cancel" | "bin" | "restore";

const DONE: Record<ContentAction, string> = {
  retry: t("contents.started"),
  cancel: t("contents.job.cancelled"),
  bin: t("contents.bin.moved"),
  restore: t("contents.restored"),
};

/** Act on somebody's file, and refresh every admin list. */
export function useContentActions() {
  const { mutate } = useSWRConfig();
  return async (slug: string, action: ContentAction) => {
    const url = `${CONTENTS}/${encodeURIComponent(slug)}`;
    try {
      await (action === "bin" ? send("DELETE", url) : send("POST", `${url}/${action}`));
      toast("success", DONE[action]);
    } catch (error) {
      toast("error", (error as Error).message);
    } finally {
      await mutate(staleBy(keys.admin));
    }
  };
}
