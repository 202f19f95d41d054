import useSWR from "swr";
import { api, ApiError, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import type { MediaExport } from "../../domain/files/data";

export type ExportRequest = Schemas["ExportRequest"];
export type ExportOptions = Schemas["ExportOptions"];

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

/** What can be chosen for a file: captions, sound tracks, sizes and file forms. */
export function useExportOptions(slug: string) {
  return useSWR<ExportOptions, Error>(
    keys.exportOptions(slug),
    async () =>
      (await unwrap(api.GET("/api/video/export-options/{slug}", { params: { path: { slug } } })))
        .data,
  );
}

export async function startExport(slug: string, body: ExportRequest): Promise<void> {
  await unwrap(api.POST("/api/video/export/{slug}", { params: { path: { slug } }, body }));
}

/** The characters that no font can draw, when the server asks whether boxes are acceptable. */
export function missingGlyphs(error: unknown): string[] | null {
  if (!(error instanceof ApiError) || error.code !== "missing_glyphs") return null;
  return (error.body as { data: { characters: string[] } }).data.characters;
}

/** Why captions that must be clean are not exported, and the language of those with open findings. */
export interface OpenFindings {
  sentence: string;
  language: string;
}

export function openFindings(error: unknown): OpenFindings | null {
  if (!(error instanceof ApiError) || error.code !== "open_findings") return null;
  const { language } = (error.body as { data: { language: string } }).data;
  return { sentence: error.message, language };
}

export async function removeExport(slug: string, export_id: string): Promise<void> {
  const params = { path: { slug, export_id } };
  await unwrap(api.DELETE("/api/video/exports/{slug}/{export_id}", { params }));
}
