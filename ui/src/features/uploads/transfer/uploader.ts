/** Uploads files as soon as they are chosen, in resumable chunks, and reports each step to the server. */
import Uppy, { type Meta, type UppyFile } from "@uppy/core";
import Tus from "@uppy/tus";
import { callHeaders, logError, type Schemas } from "../../../platform/api/client";
import { t } from "../../../platform/messages/library";
import { locale } from "../../../platform/i18n/locale";
import { bytes } from "../../../domain/files/format";
import { Bearers } from "./bearer";
import { REPORT_EVERY, TOKEN_FAILED, UploadRefused, reportChanged, reportCreated } from "./report";

export interface UploadMeta extends Meta {
  language?: string;
  /** `DETECT`, or empty. */
  speakers?: string;
  filename?: string;
  filetype?: string;
}

export type Body = Record<string, never>;
export type UploadFile = UppyFile<UploadMeta, Body>;
export type Uploader = Uppy<UploadMeta, Body>;
export type UploadConfig = Schemas["PublicConfig"]["uploads"];

const INFO_MS = 5000;
const ONLINE_MS = 3000;

export const uploadUrl = (file: UploadFile | undefined): string | undefined =>
  file?.tus?.uploadUrl ?? undefined;

/** The value of the metadata `speakers` that asks for a detection. */
const DETECT = "detect";

interface Hooks {
  language: () => string;
  /** Whether new files have their speakers detected. */
  detectsSpeakers: () => boolean;
  /** The server's state changed, so lists should be refetched. */
  onChanged: () => Promise<unknown>;
  /** An upload has become a file, whose slug is given. */
  onFile: (uploadId: string, slug: string) => void;
  onNotice: (message: string, type: string, ms: number) => void;
}

export function makeUploader(config: UploadConfig, hooks: Hooks): Uploader {
  const bearers = new Bearers();
  const uppy: Uploader = new Uppy<UploadMeta, Body>({
    autoProceed: true,
    infoTimeout: INFO_MS,
    restrictions: { maxNumberOfFiles: config.max_uploads, allowedFileTypes: config.accepted },
    onBeforeFileAdded: (file, files) => {
      // The uploader itself rejects a duplicate file, with its own message.
      if (Object.hasOwn(files, file.id)) return false;
      if ((file.size ?? 0) > config.max_bytes) {
        const said = { file: file.name, size: bytes(config.max_bytes) };
        // Its own restriction counts a megabyte as 1,048,576 bytes.
        uppy.info(uppy.i18n("exceedsSize", said), "error", INFO_MS);
        return false;
      }
      return {
        ...file,
        meta: {
          ...file.meta,
          language: hooks.language(),
          speakers: hooks.detectsSpeakers() ? DETECT : "",
          filename: file.name,
          filetype: file.type,
        },
      };
    },
  });
  if (locale === "is")
    void import("../../../platform/i18n/icelandicUploader").then(({ ICELANDIC_UPLOADER }) =>
      uppy.setOptions({ locale: ICELANDIC_UPLOADER }),
    );
  uppy.use(Tus, {
    endpoint: config.endpoint,
    chunkSize: config.chunk_size,
    limit: config.concurrency,
    retryDelays: config.retry_delays,
    allowedMetaFields: ["filename", "filetype", "language", "speakers"],
    withCredentials: true,
    removeFingerprintOnSuccess: true,
    onBeforeRequest: async (request) => {
      // Send nothing any more, not even the end of the upload. This promise never settles and is garbage-collected.
      if (closed.has(uppy)) await new Promise(() => undefined);
      const method = request.getMethod();
      const headers = await callHeaders(method);
      delete headers.Accept;
      for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
      const size = Number(request.getHeader("Upload-Length")) || undefined;
      request.setHeader("Authorization", await bearers.header(method, request.getURL(), size));
    },
    // What a plan refuses is refused again at once.
    onShouldRetry: (error, _attempt, _options, next) =>
      refusalOf(error) === undefined && next(error),
    onAfterResponse: (request, response) => {
      const location = response.getHeader("Location");
      const header = request.getHeader("Authorization");
      if (request.getMethod() !== "POST" || !location || header === undefined) return;
      bearers.created(new URL(location, new URL(request.getURL(), document.baseURI)).href, header);
    },
  });
  reportToServer(uppy, hooks);
  uppy.on("info-visible", () => {
    const latest = uppy.getState().info.at(-1);
    if (latest === undefined) return;
    const isOnline = ONLINE.some((name) => latest.message === uppy.i18n(name));
    hooks.onNotice(latest.message, latest.type, isOnline ? ONLINE_MS : INFO_MS);
  });
  return uppy;
}

/** Uppy's names of the messages about the connection, which stay for a shorter time. */
const ONLINE = ["noInternetConnection", "connectedToInternet"] as const;

const closed = new WeakSet<Uploader>();

/** Stop and forget every upload here. The server keeps the bytes and the record as they are. */
export function closeUploader(uppy: Uploader): void {
  uppy.pauseAll();
  closed.add(uppy);
  uppy.destroy();
}

function reportToServer(
  uppy: Uploader,
  { onChanged, onFile }: Pick<Hooks, "onChanged" | "onFile">,
): void {
  const events = new Map<string, number>();

  uppy.on("upload-progress", (file, progress) => {
    const tus_url = uploadUrl(file && uppy.getFile(file.id));
    if (file === undefined || tus_url === undefined) return;
    const count = (events.get(file.id) ?? 0) + 1;
    events.set(file.id, count);
    if (count === 1) {
      // The language may have changed since the event copied the file.
      const { name: filename, type: filetype, size, meta } = uppy.getFile(file.id) ?? file;
      const record = { tus_url, filename, filetype, filesize: size, language: meta.language };
      void reportCreated(record).then(onChanged);
    }
    if (count % REPORT_EVERY === 0) {
      const bytes_uploaded = Number(progress.bytesUploaded) || 0;
      void reportChanged({ tus_url, status: "uploading", bytes_uploaded });
    }
  });
  uppy.on("upload-success", (file, response) => {
    if (file === undefined) return;
    const tus_url = response.uploadURL ?? uploadUrl(uppy.getFile(file.id));
    if (tus_url === undefined) return;
    void reportChanged({ tus_url, status: "waiting", bytes_uploaded: file.size ?? undefined }).then(
      async (upload) => {
        if (upload?.file_slug != null) onFile(file.id, upload.file_slug);
        // Gone from here before the list knows its end, it would look as if it had been cut off.
        await onChanged();
        uppy.removeFile(file.id);
      },
    );
  });
  uppy.on("upload-error", (file, error, response) => {
    const tus_url = uploadUrl(file && uppy.getFile(file.id));
    const message = sentenceOf(error, response?.body?.xhr);
    if (file !== undefined) uppy.setFileState(file.id, { error: message });
    void logError(error, "upload");
    if (tus_url !== undefined) {
      void reportChanged({ tus_url, status: "incomplete", error: message }).then(onChanged);
    }
  });
  uppy.on("file-removed", (file) => {
    events.delete(file.id);
    const tus_url = uploadUrl(file);
    if (tus_url !== undefined && !file.progress.uploadComplete && !closed.has(uppy)) {
      void reportChanged({ tus_url, status: "cancelled" }).then(onChanged);
    }
  });
}

const INTERRUPTED = t("uploads.interrupted");

/** The refusal behind an error that the protocol's client has wrapped, if it is one. */
function refusalOf(error: unknown): UploadRefused | undefined {
  if (error instanceof UploadRefused) return error;
  if (!(error instanceof Error)) return undefined;
  const { causingError, cause } = error as { causingError?: unknown; cause?: unknown };
  return refusalOf(causingError ?? cause);
}

/** The sentence for a failed upload: the server's own, if there is one. */
export function sentenceOf(error: unknown, request: unknown): string {
  const refusal = refusalOf(error);
  if (refusal !== undefined) return refusal.message;
  const text = (request as XMLHttpRequest | undefined)?.responseText ?? "";
  try {
    const answer = JSON.parse(text) as { message?: unknown };
    if (typeof answer.message === "string") return answer.message;
  } catch {
    if (text !== "" && text.length < 200 && !text.startsWith("<")) return text;
  }
  return String(error).includes(TOKEN_FAILED) ? TOKEN_FAILED : INTERRUPTED;
}
