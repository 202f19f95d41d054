import useSWR from "swr";
import { api, ApiError, unwrap } from "../../api/client";
import type { Schemas } from "../../api/client";
import { keys } from "../../api/keys";
import type { SpeakerStyle } from "../speakers/data";
import type { MediaExport } from "../files/data";

export type ExportSettings = Schemas["ExportSettings"];

export const PLAIN_SETTINGS: ExportSettings = {
  aspect: "original",
  fit: "pad",
  quality: "standard",
  crop_x: 0.5,
  crop_y: 0.5,
};

const WORKING = new Set<MediaExport["status"]>(["submitted", "progressing"]);
/** Events update the page. This slow poll is for browsers whose events do not arrive. */
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
  speakers: SpeakerStyle,
  accept_boxes = false,
  settings: ExportSettings = PLAIN_SETTINGS,
): Promise<void> {
  const params = { path: { slug } };
  const body = { ...settings, language, languages: [], mode, speakers, accept_boxes };
  await unwrap(api.POST("/api/video/export/{slug}", { params, body }));
}

/** The characters that no font can draw, when the server asks whether boxes are acceptable. */
export function missingGlyphs(error: unknown): string[] | null {
  if (!(error instanceof ApiError) || error.code !== "missing_glyphs") return null;
  return (error.body as { data: { characters: string[] } }).data.characters;
}

export async function removeExport(slug: string, export_id: string): Promise<void> {
  const params = { path: { slug, export_id } };
  await unwrap(api.DELETE("/api/video/exports/{slug}/{export_id}", { params }));
}
