/** The bin: deleted files, restoring them, and deleting them for good. */
import useSWR, { useSWRConfig } from "swr";
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { keys, staleBy } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/library";
import { toast } from "../../../platform/notices/toast";

export type BinnedFile = Schemas["BinnedFile"];
type BinPage = Schemas["Page_BinnedFile_"];

export const BIN_PER_PAGE = 50;
/** The most ids that one call takes. */
const AT_ONCE = 500;

export function useBin(page: number) {
  const query = { page, per_page: BIN_PER_PAGE };
  return useSWR<BinPage, Error>(
    keys.binList(String(page)),
    () => unwrap(api.GET("/api/files/bin", { params: { query } })),
    { keepPreviousData: true },
  );
}

/** Each action resolves to whether it was done, and shows the server's sentence when not. */
export function useBinActions() {
  const { mutate } = useSWRConfig();
  const attempt = async (
    ids: readonly string[],
    call: (ids: string[]) => Promise<unknown>,
    done: string,
  ): Promise<boolean> => {
    try {
      for (let from = 0; from < ids.length; from += AT_ONCE) {
        await call(ids.slice(from, from + AT_ONCE));
      }
      toast("success", done);
      return true;
    } catch (error) {
      toast("error", (error as Error).message);
      return false;
    } finally {
      await Promise.all([keys.files, keys.bin, keys.tags].map((key) => mutate(staleBy(key))));
    }
  };
  return {
    remove: (ids: readonly string[]) =>
      attempt(
        ids,
        (some) => unwrap(api.DELETE("/api/files/delete-multiple", { body: { ids: some } })),
        ids.length === 1 ? t("bin.moved") : t("bin.movedMany", { ids: ids.length }),
      ),
    restore: (ids: readonly string[]) =>
      attempt(
        ids,
        (some) => unwrap(api.POST("/api/files/bin/restore", { body: { ids: some } })),
        ids.length === 1 ? t("bin.restored") : t("bin.restoredMany", { ids: ids.length }),
      ),
    purge: (ids: readonly string[]) =>
      attempt(
        ids,
        (some) => unwrap(api.POST("/api/files/bin/purge", { body: { ids: some } })),
        ids.length === 1 ? t("bin.deleted") : t("bin.deletedMany", { ids: ids.length }),
      ),
    empty: () => attempt([""], () => unwrap(api.DELETE("/api/files/bin")), t("bin.emptied")),
  };
}
