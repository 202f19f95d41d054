import { useCallback } from "react";
import useSWR, { useSWRConfig } from "swr";
import { api, unwrap, type Schemas } from "../../api/client";
import { keys } from "../../api/keys";
import { toast } from "../notifications/toast";

export type MediaFile = Schemas["FileOut"];
export type MediaExport = Schemas["ExportOut"];

const WORKING = new Set(["waiting", "uploading", "processing", "transcribing"]);
/** Events move the page; this slow look is for a browser whose events do not arrive. */
const LOOK_AGAIN_MS = 15_000;

export const isWorking = (file: Pick<MediaFile, "status">): boolean => WORKING.has(file.status);

export const canRestart = (file: Pick<MediaFile, "status">): boolean =>
  file.status === "failed" || file.status === "abandoned";

export function useFiles() {
  return useSWR<MediaFile[], Error>(
    keys.files,
    async () => (await unwrap(api.GET("/api/files"))).data,
    {
      refreshInterval: (files) => (files?.some(isWorking) ? LOOK_AGAIN_MS : 0),
    },
  );
}

export function useFile(slug: string) {
  return useSWR<MediaFile, Error>(
    keys.file(slug),
    async () => (await unwrap(api.GET("/api/files/{slug}", { params: { path: { slug } } }))).data,
    { refreshInterval: (file) => (file !== undefined && isWorking(file) ? LOOK_AGAIN_MS : 0) },
  );
}

export const FILE_NOT_FOUND = "File not found";
const UPDATE_FAILED = "An error occurred while update file data";
const DELETE_FAILED = "An error occurred while trying to delete your file";

/** What a person can do to a file; each shows its own message when it fails. */
export function useFileActions() {
  const { mutate } = useSWRConfig();
  const refresh = useCallback(
    (slug: string) => Promise.all([mutate(keys.files), mutate(keys.file(slug))]),
    [mutate],
  );
  const attempt = useCallback(
    async (slug: string, call: () => Promise<unknown>, failure?: string) => {
      try {
        await call();
        return true;
      } catch (error) {
        toast("error", failure ?? (error as Error).message);
        return false;
      } finally {
        await refresh(slug);
      }
    },
    [refresh],
  );
  const at = (slug: string) => ({ params: { path: { slug } } });
  return {
    rename: (slug: string, name: string) =>
      attempt(
        slug,
        () => unwrap(api.PUT("/api/files/{slug}", { ...at(slug), body: { name } })),
        UPDATE_FAILED,
      ),
    remove: (slug: string) =>
      attempt(slug, () => unwrap(api.DELETE("/api/files/{slug}", at(slug))), DELETE_FAILED),
    cancel: (slug: string) =>
      attempt(slug, () => unwrap(api.POST("/api/files/{slug}/cancel", at(slug)))),
    /** Transcribe in a language, once more if the file was transcribed before. */
    transcribe: (slug: string, language: string) =>
      attempt(slug, () =>
        unwrap(api.POST("/api/files/{slug}/transcribe", { ...at(slug), body: { language } })),
      ),
    retry: (slug: string) =>
      attempt(slug, () => unwrap(api.POST("/api/files/{slug}/retry", at(slug)))),
  };
}
