import Uppy, { type Meta, type UppyFile } from "@uppy/core";
import Tus from "@uppy/tus";
import { callHeaders, send, type Schemas } from "../../api/client";
import { toast } from "../notifications/store";

export interface UploadMeta extends Meta {
  language?: string;
  filename?: string;
  filetype?: string;
}

export type Body = Record<string, never>;
export type UploadFile = UppyFile<UploadMeta, Body>;
export type Uploader = Uppy<UploadMeta, Body>;
type Config = Schemas["PublicConfig"]["uploads"];

export const TOKEN_FAILED = "Unable to fetch upload token";
const TELL_EVERY = 20;
const NOTICE_LIMIT = 4;

async function uploadToken(): Promise<string> {
  try {
    const answer = await send<{ data: { token: string } }>("POST", "/api/files/upload/token");
    return answer.data.token;
  } catch (error) {
    throw new Error(TOKEN_FAILED, { cause: error });
  }
}

async function tell(method: "POST" | "PUT", body: Record<string, unknown>): Promise<void> {
  // The upload host keeps its own account of the bytes; what is told here is for the person's other pages.
  await send(method, "/api/files/upload", body).catch(() => undefined);
}

/** Files go up as soon as they are chosen, in pieces that resume; the server is told of each step. */
export function makeUploader(config: Config, language: () => string, onDone: () => void): Uploader {
  const counts = new Map<string, number>();
  const uppy: Uploader = new Uppy<UploadMeta, Body>({
    autoProceed: true,
    restrictions: {
      maxNumberOfFiles: config.max_uploads,
      allowedFileTypes: [
        "audio/*",
        "video/*",
        ".mkv",
        ".mts",
        ".m2ts",
        ".ts",
        ".avi",
        ".flac",
        ".ogg",
        ".opus",
      ],
    },
    onBeforeFileAdded: (file) => ({
      ...file,
      meta: { ...file.meta, language: language(), filename: file.name, filetype: file.type },
    }),
  });
  uppy.use(Tus, {
    endpoint: config.endpoint,
    chunkSize: config.chunk_size,
    limit: config.concurrency,
    retryDelays: config.retry_delays,
    allowedMetaFields: ["filename", "filetype", "language"],
    withCredentials: true,
    onBeforeRequest: async (request) => {
      const method = request.getMethod();
      for (const [name, value] of Object.entries(await callHeaders(method))) {
        if (name !== "Accept") request.setHeader(name, value);
      }
      if (method === "POST") request.setHeader("Authorization", `Bearer ${await uploadToken()}`);
    },
  });

  const url = (file: UploadFile | undefined): string | undefined =>
    file?.tus?.uploadUrl ?? undefined;
  const started = new Set<string>();

  uppy.on("upload-progress", (file, progress) => {
    const tus_url = url(file && uppy.getFile(file.id));
    if (file === undefined || tus_url === undefined) return;
    const { name: filename, type: filetype, size: filesize, meta } = file;
    if (!started.has(file.id)) {
      started.add(file.id);
      void tell("POST", { tus_url, filename, filetype, filesize, language: meta.language }).then(
        onDone,
      );
    }
    const count = (counts.get(file.id) ?? 0) + 1;
    counts.set(file.id, count);
    if (count % TELL_EVERY === 0) {
      void tell("PUT", { tus_url, status: "uploading", bytes_uploaded: progress.bytesUploaded });
    }
  });
  uppy.on("upload-success", (file, response) => {
    if (file === undefined) return;
    const tus_url = response.uploadURL ?? url(uppy.getFile(file.id));
    void tell("PUT", { tus_url, status: "waiting", bytes_uploaded: file.size }).then(() => {
      uppy.removeFile(file.id);
      onDone();
    });
  });
  uppy.on("upload-error", (file, error) => {
    const tus_url = url(file && uppy.getFile(file.id));
    if (tus_url !== undefined)
      void tell("PUT", { tus_url, status: "incomplete", error: error.message });
    toast("error", `Failed to upload ${file?.name ?? "the file"}`);
  });
  uppy.on("file-removed", (file) => {
    counts.delete(file.id);
    started.delete(file.id);
    const tus_url = url(file);
    if (tus_url !== undefined && !file.progress.uploadComplete) {
      void tell("PUT", { tus_url, status: "cancelled" }).then(onDone);
    }
  });
  let shown = 0;
  uppy.on("restriction-failed", (_file, error) => {
    shown += 1;
    if (shown <= NOTICE_LIMIT) toast("warning", error.message);
    else if (shown === NOTICE_LIMIT + 1) {
      setTimeout(() =>
        toast("warning", `${shown - NOTICE_LIMIT} additional restrictions were not fulfilled`),
      );
    }
    setTimeout(() => (shown = 0), 500);
  });
  uppy.on("is-offline", () => toast("warning", "No Internet connection"));
  uppy.on("back-online", () => toast("success", "Connected to the Internet"));
  return uppy;
}
