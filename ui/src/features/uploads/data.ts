import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";

export type Upload = Schemas["UploadOut"];

const STOPPED = new Set<Upload["status"]>(["incomplete", "failed"]);

/**
 * The server's uploads as this browser sees them. An upload marked as uploading that is not running in this page was
 * cut off by a reload and is incomplete. `here` holds the URLs of the uploads running in this page, `ended` of those
 * that ended here, which an older list may still show as uploading.
 */
export function settle(
  uploads: Upload[],
  here: ReadonlySet<string>,
  ended: ReadonlySet<string>,
): Upload[] {
  return uploads.map((upload) =>
    upload.status === "uploading" && !here.has(upload.tus_url) && !ended.has(upload.tus_url)
      ? { ...upload, status: "incomplete" }
      : upload,
  );
}

/** Uploads the person can resume or discard. */
export const interrupted = (
  uploads: Upload[],
  here: ReadonlySet<string>,
  ended: ReadonlySet<string>,
): Upload[] =>
  settle(uploads, here, ended).filter(
    (upload) => upload.is_displayed && STOPPED.has(upload.status) && !here.has(upload.tus_url),
  );

/** All uploads that have not become files yet. */
export function useUploads() {
  return useSWR<Upload[], Error>(keys.uploads, fetchUploads);
}

async function fetchUploads(): Promise<Upload[]> {
  const uploads: Upload[] = [];
  for (let page = 1; ; page += 1) {
    const params = { query: { page } };
    const { data, meta } = await unwrap(api.GET("/api/files/uploads", { params }));
    uploads.push(...data);
    if (data.length === 0 || uploads.length >= meta.total) return uploads;
  }
}

export async function discardUpload(id: string): Promise<void> {
  await unwrap(api.DELETE("/api/files/upload/{id}", { params: { path: { id } } }));
}
