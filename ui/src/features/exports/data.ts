import useSWR from "swr";
import { send } from "../../api/client";
import { keys } from "../../api/keys";
import type { MediaExport } from "../files/data";

const WORKING = new Set(["submitted", "progressing"]);
const LOOK_AGAIN_MS = 10_000;

export function useExports(slug: string) {
  return useSWR<MediaExport[], Error>(
    keys.exports(slug),
    async () => (await send<{ data: MediaExport[] }>("GET", `/api/video/exports/${slug}`)).data,
    {
      refreshInterval: (list) => (list?.some((one) => WORKING.has(one.status)) ? LOOK_AGAIN_MS : 0),
    },
  );
}

export async function startExport(
  slug: string,
  language: string,
  mode: "burned" | "soft",
): Promise<void> {
  await send("POST", `/api/video/export/${slug}`, { language, mode });
}

export async function removeExport(slug: string, id: string): Promise<void> {
  await send("DELETE", `/api/video/exports/${slug}/${id}`);
}
