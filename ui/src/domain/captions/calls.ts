/** Calls to the captions API. */
import { api, ApiError, callHeaders, unwrap, type Schemas } from "../../platform/api/client";
import type { SpeakerStyle } from "../speakers/data";
import { withLines } from "./model/line";
import type { CaptionEdit, CaptionFormat, Captions, Imported, Line, Saved } from "./types";

/** Somebody else changed the line in the meantime: nothing was saved, and this is the current line. */
export class StaleLine extends Error {
  constructor(
    message: string,
    readonly revision: number,
    readonly line: Line | null,
  ) {
    super(message);
  }
}

const at = (slug: string) => ({ params: { path: { key: slug } } });

/** One track of a file. Without a language it is the transcription. */
export interface Track {
  slug: string;
  language?: string;
}

/** Fetch the captions of a track. For a draft that is `held` already, only new lines are sent: it grows for hours. */
export async function fetchCaptions({ slug, language }: Track, held?: Captions): Promise<Captions> {
  const since = held?.draft ?? undefined;
  const params = { path: { key: slug }, query: { since, language } };
  const call = api.GET("/api/files/captions/{key}", { params, cache: "no-store" });
  const { data } = await unwrap(call);
  return withDraft(held, data);
}

/**
 * The newest captions of a track that is `held` at some revision: only lines that changed since are sent. Lines that did
 * not change stay the same objects.
 */
export async function fetchNewer(track: Track, held: Captions): Promise<Captions> {
  const query = { since: held.revision, language: track.language };
  const params = { path: { key: track.slug }, query };
  const call = api.GET("/api/files/captions/{key}/newer", { params, cache: "no-store" });
  const { data } = await unwrap(call);
  if (data.is_whole) return fetchCaptions(track);
  const { revision, language, can_undo, can_redo, may_change } = data;
  const lines = withLines(held.lines, data.removed, data.changed);
  return { ...held, revision, language, can_undo, can_redo, may_change, lines };
}

/** The draft with the lines that arrived since. */
export function withDraft(held: Captions | undefined, fresh: Captions): Captions {
  if (held === undefined || !fresh.is_live || fresh.first_line === 0) return fresh;
  return {
    ...fresh,
    first_line: 0,
    lines: [...held.lines.slice(0, fresh.first_line), ...fresh.lines],
  };
}

export async function saveEdit(slug: string, edit: CaptionEdit): Promise<Saved> {
  try {
    return (await unwrap(api.POST("/api/files/captions/{key}", { ...at(slug), body: edit }))).data;
  } catch (error) {
    throw error instanceof ApiError && error.status === 409 ? staleLine(error) : error;
  }
}

function staleLine(error: ApiError): Error {
  const body = error.body as { data?: { revision: number; line: Line | null } } | undefined;
  return body?.data === undefined
    ? error
    : new StaleLine(error.message, body.data.revision, body.data.line);
}

/** What a person chooses for a file to read; `fps` is null for the file's own frame rate. */
export interface Reading {
  fps: number | null;
  rollUp: "once" | "screen";
}
export const USUAL_READING: Reading = { fps: null, rollUp: "once" };

/** Replace all lines with those of a subtitle file, as one change; `notes` list what differs from the file. */
export const importSubtitles = (
  track: Track,
  chosen: File,
  reading: Reading,
): Promise<Imported> => {
  const query = new URLSearchParams({ roll_up: reading.rollUp });
  if (reading.fps !== null) query.set("fps", String(reading.fps));
  return sendFile(track, `import?${query}`, chosen);
};

export type OutsideReview = Schemas["OutsideReviewOut"];

/** What a table, Word document or text that came back would change; nothing changes by this call. */
export const compareReview = (track: Track, chosen: File): Promise<OutsideReview> =>
  sendFile(track, "outside-review", chosen);

async function sendFile<Answer>(track: Track, call: string, chosen: File): Promise<Answer> {
  const body = new FormData();
  body.append("file", chosen);
  const headers = await callHeaders("POST");
  const path = withLanguage(`/api/files/captions/${encodeURIComponent(track.slug)}/${call}`, track);
  const saved = await unwrap<{ data: Answer }>(
    fetch(path, { method: "POST", headers, body, credentials: "same-origin" }).then(
      async (response) => {
        const answer: unknown = await response.json().catch(() => undefined);
        return response.ok
          ? { data: answer as { data: Answer }, response }
          : { error: answer, response };
      },
    ),
  );
  return saved.data;
}

export const downloadUrl = (
  track: Track,
  format: CaptionFormat,
  speakers: SpeakerStyle = "none",
  fromTimecode = false,
  onlyForced = false,
): string =>
  withLanguage(
    `/api/files/captions/${encodeURIComponent(track.slug)}/download?format=${format}` +
      (speakers === "none" ? "" : `&speakers=${speakers}`) +
      (fromTimecode ? "&from_timecode=true" : "") +
      (onlyForced ? "&only_forced=true" : ""),
    track,
  );

/** What the file of a download cannot hold, in sentences. */
export async function fetchLosses(
  { slug, language }: Track,
  format: CaptionFormat,
  speakers: SpeakerStyle,
  from_timecode: boolean,
  only_forced: boolean,
): Promise<string[]> {
  const query = { format, language, speakers, from_timecode, only_forced };
  const params = { path: { key: slug }, query };
  const { data } = await unwrap(api.GET("/api/files/captions/{key}/download/notes", { params }));
  return data;
}

function withLanguage(path: string, { language }: Track): string {
  if (language === undefined) return path;
  return `${path}${path.includes("?") ? "&" : "?"}language=${encodeURIComponent(language)}`;
}
