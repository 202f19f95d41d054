/** Reports an upload's state to the server, for the person's other pages and for the record. */
import {
  api,
  ApiError,
  isWorthLogging,
  logError,
  unwrap,
  type Schemas,
} from "../../../platform/api/client";
import { t } from "../../../platform/messages/library";

export const TOKEN_FAILED = t("uploads.tokenFailed");
/** Progress is reported on every 20th progress event of a file. */
export const REPORT_EVERY = 20;

/** A plan has no room for the upload. Its message is the server's sentence. */
export class UploadRefused extends Error {}

/** A token for an upload, of `filesize` bytes where it is about to begin. */
export async function uploadToken(filesize?: number): Promise<Schemas["TokenOut"]> {
  try {
    const body = filesize === undefined ? null : { filesize };
    return (await unwrap(api.POST("/api/files/upload/token", { body }))).data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 402) throw new UploadRefused(error.message);
    throw new Error(TOKEN_FAILED, { cause: error });
  }
}

export async function reportCreated(record: Schemas["UploadRecord"]): Promise<void> {
  await quietly(unwrap(api.POST("/api/files/upload", { body: record })));
}

/** The upload as the server has it now; undefined if the report was lost. */
export async function reportChanged(
  change: Schemas["UploadChange"],
): Promise<Schemas["UploadOut"] | undefined> {
  return (await quietly(unwrap(api.PUT("/api/files/upload", { body: change }))))?.data;
}

/**
 * Change the language of an upload, or of the file it has become in the meantime. Throws the server's
 * sentence.
 */
export async function changeLanguage(tus_url: string, language: string): Promise<void> {
  const upload = (await unwrap(api.PUT("/api/files/upload", { body: { tus_url, language } }))).data;
  if (upload.language === language || upload.file_slug === null) return;
  const params = { path: { slug: upload.file_slug } };
  await unwrap(api.POST("/api/files/{slug}/transcribe", { params, body: { language } }));
}

/** The upload server keeps its own count of the bytes, so a lost report loses no data. */
async function quietly<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isWorthLogging(error)) void logError(error, "upload report");
    return undefined;
  }
}
