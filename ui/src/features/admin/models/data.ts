import useSWR, { useSWRConfig } from "swr";
import { send, type Schemas } from "../../../platform/api/client";
import { keys, staleBy } from "../../../platform/api/keys";
import { toast } from "../../../platform/notices/toast";

export type Loaded = Schemas["LoadedOut"];
export type Models = Schemas["ModelsOut"];
export type Entry = Schemas["CatalogueOut"];

const MODELS = "/api/admin/models";
const CATALOGUE = "/api/models/catalogue";
const MOVING_MS = 2_000;
const STILL_MS = 15_000;

const isMoving = (order: Entry["order"]): boolean =>
  order !== null && order.state !== "failed" && order.state !== "paused";

export function useLoadedModels() {
  return useSWR<Models, Error>(
    keys.adminList(MODELS),
    async () => (await send<{ data: Models }>("GET", MODELS)).data,
    { refreshInterval: STILL_MS },
  );
}

export function useCatalogue() {
  return useSWR<Entry[], Error>(
    keys.adminList(CATALOGUE),
    async () => (await send<{ data: Entry[] }>("GET", CATALOGUE)).data,
    {
      refreshInterval: (entries) =>
        entries?.some(({ order }) => isMoving(order)) ? MOVING_MS : STILL_MS,
    },
  );
}

/** Names of the hub have a slash, which stays one in the address. */
const urlOf = (name: string): string =>
  `${CATALOGUE}/${name.split("/").map(encodeURIComponent).join("/")}`;

/** Download and remove models. Each returns whether it worked. */
export function useModelActions() {
  const { mutate } = useSWRConfig();
  const attempt = async (method: string, name: string): Promise<boolean> => {
    try {
      await send(method, urlOf(name));
      return true;
    } catch (error) {
      toast("error", (error as Error).message);
      return false;
    } finally {
      await Promise.all([mutate(staleBy(keys.admin)), mutate(keys.models)]);
    }
  };
  return {
    pull: (name: string) => attempt("POST", name),
    remove: (name: string) => attempt("DELETE", name),
  };
}
