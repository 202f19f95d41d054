import { useCallback } from "react";
import useSWR, { useSWRConfig } from "swr";
import { api, ApiError, unwrap, type Schemas } from "../../platform/api/client";
import { begunOr } from "../../platform/api/early";
import { keys, staleBy } from "../../platform/api/keys";
import type { paths } from "../../platform/api/schema";
import { t } from "../../platform/messages/files";
import { toast } from "../../platform/notices/toast";
import { useWorkspace } from "../teams/workspace";

export type MediaFile = Schemas["FileOut"];
export type FileStatus = MediaFile["status"];
export type MediaExport = Schemas["ExportOut"];
export type FilePage = Schemas["Page_FileOut_"];
export type FileQuery = NonNullable<paths["/api/files"]["get"]["parameters"]["query"]>;

/** While the server still works on the file, and after it stopped without finishing. */
export const WORKING: FileStatus[] = ["waiting", "uploading", "processing", "transcribing"];
export const STOPPED: FileStatus[] = ["failed", "abandoned"];
/** Events update the page. This slow poll is for browsers whose events do not arrive. */
const LOOK_AGAIN_MS = 15_000;

export const isWorking = (file: Pick<MediaFile, "status">): boolean =>
  WORKING.includes(file.status);

export const canRestart = (file: Pick<MediaFile, "status">): boolean =>
  STOPPED.includes(file.status);

/** The part of a query that keeps a list to one workspace; to all of them without one. */
export const inWorkspace = (team: string | undefined): FileQuery =>
  team === undefined ? {} : { team };

/** Whether the copy that browsers play failed or was cancelled. */
export const canRetryPlayback = ({ playback }: Pick<MediaFile, "playback">): boolean =>
  playback.status === "failed" || playback.status === "cancelled";

/** Whether the file may still change without the person doing anything. */
const isMoving = (file: MediaFile): boolean =>
  isWorking(file) ||
  file.playback.status === "preparing" ||
  file.translations.some(({ state }) => state === "waiting" || state === "running");

/** One page of the person's files. The previous page stays until the next one arrives. */
export function useFiles(query: FileQuery) {
  return useSWR<FilePage, Error>(
    keys.fileList(JSON.stringify(query)),
    () => unwrap(api.GET("/api/files", { params: { query } })),
    {
      keepPreviousData: true,
      refreshInterval: (page) => (page?.data.some(isMoving) ? LOOK_AGAIN_MS : 0),
    },
  );
}

/** A page of the list. Full rows of one to six cards fit into it, so that no row needs two pages. */
export const PER_PAGE = 60;

/** The list of a workspace before anybody narrows it. */
export const newestQuery = (workspace: string | undefined): FileQuery => ({
  status: [],
  sort: "-created_at",
  tag: [],
  language: [],
  ...inWorkspace(workspace),
  per_page: PER_PAGE,
});

/** The newest files of the workspace in which one works. All that ask for them share the response. */
export const useNewestFiles = () => useFiles({ ...newestQuery(useWorkspace()), page: 1 });

export function useFile(slug: string) {
  return useSWR<MediaFile, Error>(
    keys.file(slug),
    () =>
      begunOr(
        keys.file(slug),
        async () =>
          (await unwrap(api.GET("/api/files/{slug}", { params: { path: { slug } } }))).data,
      ),
    { refreshInterval: (file) => (file !== undefined && isMoving(file) ? LOOK_AGAIN_MS : 0) },
  );
}

/** Whether the thing does not exist or belongs to someone else. */
export const isNotFound = (error: Error): boolean =>
  error instanceof ApiError && error.status === 404;

/** What a person reads where a file could not be deleted or changed: the sentences of the specification. */
export const DELETE_FAILED = t("deleteFailed");
const isVideo = ({ kind }: Pick<MediaFile, "kind">): boolean => kind === "video";

type Named = Pick<MediaFile, "slug" | "kind">;

/** The actions on a file; each shows its own message when it fails. */
export function useFileActions() {
  const { mutate } = useSWRConfig();
  const refresh = useCallback(
    (slug: string) =>
      Promise.all(
        [keys.files, keys.file(slug), keys.bin, keys.tags].map((key) => mutate(staleBy(key))),
      ),
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
    rename: (file: Named, name: string) =>
      attempt(
        file.slug,
        () => unwrap(api.PUT("/api/files/{slug}", { ...at(file.slug), body: { name } })),
        t(isVideo(file) ? "updateVideoFailed" : "updateFailed"),
      ),
    remove: (file: Named) =>
      attempt(
        file.slug,
        () => unwrap(api.DELETE("/api/files/{slug}", at(file.slug))),
        isVideo(file) ? t("deleteVideoFailed") : DELETE_FAILED,
      ),
    cancel: (slug: string) =>
      attempt(slug, () => unwrap(api.POST("/api/files/{slug}/cancel", at(slug)))),
    /** Transcribe in a language, again if the file was transcribed before. */
    transcribe: (slug: string, language: string) =>
      attempt(slug, () =>
        unwrap(api.POST("/api/files/{slug}/transcribe", { ...at(slug), body: { language } })),
      ),
    retry: (slug: string) =>
      attempt(slug, () => unwrap(api.POST("/api/files/{slug}/retry", at(slug)))),
    retryPlayback: (slug: string) =>
      attempt(slug, () => unwrap(api.POST("/api/files/{slug}/playback", at(slug)))),
  };
}
