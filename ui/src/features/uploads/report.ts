/** What the server is told of an upload beside the bytes: it is for the person's other pages and for the record. */
import { api, isWorthLogging, logError, unwrap, type Schemas } from "../../api/client";

export const TOKEN_FAILED = "Unable to fetch upload token";
/** Progress is told on every 20th progress event of a file. */
export const TELL_EVERY = 20;

export async function uploadToken(): Promise<Schemas["TokenOut"]> {
  try {
    return (await unwrap(api.POST("/api/files/upload/token"))).data;
  } catch (error) {
    throw new Error(TOKEN_FAILED, { cause: error });
  }
}

export async function tellCreated(record: Schemas["UploadRecord"]): Promise<void> {
  await quietly(unwrap(api.POST("/api/files/upload", { body: record })));
}

export async function tellChanged(change: Schemas["UploadChange"]): Promise<void> {
  await quietly(unwrap(api.PUT("/api/files/upload", { body: change })));
}

/**
 * Give an upload another language. When its bytes have become a file meanwhile, the file takes it. Throws the server's
 * sentence.
 */
export async function changeLanguage(tus_url: string, language: string): Promise<void> {
  const upload = (await unwrap(api.PUT("/api/files/upload", { body: { tus_url, language } }))).data;
  if (upload.language === language || upload.file_slug === null) return;
  const params = { path: { slug: upload.file_slug } };
  await unwrap(api.POST("/api/files/{slug}/transcribe", { params, body: { language } }));
}

/** The upload host keeps its own account of the bytes, so a report that does not arrive loses nothing. */
async function quietly(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (isWorthLogging(error)) void logError(error, "upload report");
  }
}
