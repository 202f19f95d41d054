/** Which uploads this browser can resume. The uploader stores their URLs until they end or the person signs out. */
import { defaultOptions } from "tus-js-client";
import useSWR from "swr";
import { t } from "../../../platform/messages/files";
import type { Upload } from "../data";

/** The upload's id is the last part of its URL, whatever the host. */
const idOf = (url: string): string => url.split("/").at(-1) ?? "";

export async function rememberedUploads(): Promise<ReadonlySet<string>> {
  const held = await defaultOptions.urlStorage.findAllUploads();
  return new Set(held.flatMap(({ uploadUrl }) => (uploadUrl === null ? [] : [idOf(uploadUrl)])));
}

const HERE = t("uploads.resume.same");
const ELSEWHERE = t("uploads.resume.elsewhere");

/** What the person can do about a stopped upload, or why it failed. */
export function continueWords(
  upload: Pick<Upload, "tus_url" | "status" | "error">,
  remembered: ReadonlySet<string>,
): string {
  if (upload.status === "failed" && upload.error !== null) return upload.error;
  return remembered.has(idOf(upload.tus_url)) ? HERE : ELSEWHERE;
}

/** Read again with each list of uploads, because choosing a file changes it. */
export function useRemembered(uploads: Upload[]): ReadonlySet<string> | undefined {
  const key = uploads.map(({ tus_url, status }) => `${tus_url} ${status}`).join();
  return useSWR(["remembered uploads", key], rememberedUploads).data;
}
