import useSWR from "swr";
import { api, unwrap } from "../../api/client";
import { keys } from "../../api/keys";
import type { MediaExport } from "../files/data";

const WORKING = new Set<MediaExport["status"]>(["submitted", "progressing"]);
/** Events move the page; this slow look is for a browser whose events do not arrive. */
const LOOK_AGAIN_MS = 10_000;

export const isExporting = (one: Pick<MediaExport, "status">): boolean => WORKING.has(one.status);

export function useExports(slug: string) {
  return useSWR<MediaExport[], Error>(
    keys.exports(slug),
    async () =>
      (await unwrap(api.GET("/api/video/exports/{slug}", { params: { path: { slug } } }))).data,
    { refreshInterval: (list) => (list?.some(isExporting) ? LOOK_AGAIN_MS : 0) },
  );
}

export async function startExport(
  slug: string,
  language: string,
  mode: MediaExport["mode"],
): Promise<void> {
  const params = { path: { slug } };
  await unwrap(api.POST("/api/video/export/{slug}", { params, body: { language, mode } }));
}

export async function removeExport(slug: string, export_id: string): Promise<void> {
  const params = { path: { slug, export_id } };
  await unwrap(api.DELETE("/api/video/exports/{slug}/{export_id}", { params }));
}
