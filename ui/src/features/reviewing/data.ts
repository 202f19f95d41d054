/** The calls of somebody who reviews captions by a link, without an account. */
import { useEffect, useMemo, useRef } from "react";
import useSWR from "swr";
import { api, ApiError, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { toast } from "../../platform/notices/toast";
import type { Note, NoteActions } from "../captions/notes/data";

export type Review = Schemas["FileReview"];
export type Invitation = Schemas["ReviewInvitation"];
export type ReviewCaptions = Schemas["ReviewCaptions"];
export type ReviewLine = Schemas["ReviewLine"];
export type Saved = Schemas["ReviewSaved"];

/** Reviewers have no connection of their own to the relay: their page asks. */
const CAPTIONS_EVERY_MS = 4_000;
const NOTES_EVERY_MS = 8_000;
const REVIEW_EVERY_MS = 60_000;
const CLOSED = new Set(["review_closed", "review_not_entered"]);

const at = (link_id: string) => ({ params: { path: { link_id } } });

/** Whether the link has ended, or this browser has not entered. */
export const isOut = (error: unknown): boolean =>
  error instanceof ApiError && CLOSED.has(error.code);

/** What is reviewed; null when this browser has not said yet who reviews. */
export const useReview = (id: string) =>
  useSWR<Review | null, Error>(
    keys.reviewing(id),
    async () => {
      try {
        return (await unwrap(api.GET("/api/review/{link_id}", at(id)))).data;
      } catch (error) {
        if (error instanceof ApiError && error.code === "review_not_entered") return null;
        throw error;
      }
    },
    { refreshInterval: REVIEW_EVERY_MS, shouldRetryOnError: (error) => !isOut(error) },
  );

export const openLink = async (id: string, secret: string): Promise<Invitation> =>
  (await unwrap(api.POST("/api/review/{link_id}/open", { ...at(id), body: { secret } }))).data;

export const enterReview = (id: string, body: Schemas["ReviewEntry"]): Promise<unknown> =>
  unwrap(api.POST("/api/review/{link_id}/enter", { ...at(id), body }));

export const leaveReview = (id: string): Promise<unknown> =>
  unwrap(api.POST("/api/review/{link_id}/leave", at(id)));

/** The captions in a language, kept up to date; `onOut` is called when the link has ended meanwhile. */
export function useReviewCaptions(id: string, language: string | undefined, onOut: () => void) {
  const held = useRef<ReviewCaptions>(undefined);
  const answer = useSWR<ReviewCaptions, Error>(
    keys.reviewedCaptions(id, language),
    async () => {
      const known = held.current?.language === language ? held.current : undefined;
      const query = { language, since: known?.revision };
      const params = { path: { link_id: id }, query };
      const { data } = await unwrap(api.GET("/api/review/{link_id}/captions", { params }));
      held.current = data.lines === null && known !== undefined ? known : data;
      return held.current;
    },
    { refreshInterval: CAPTIONS_EVERY_MS, shouldRetryOnError: (error) => !isOut(error) },
  );
  const { error } = answer;
  useEffect(() => {
    if (isOut(error)) onOut();
  }, [error, onOut]);
  return answer;
}

export const saveLine = async (link_id: string, body: Schemas["ReviewEdit"]): Promise<Saved> =>
  (await unwrap(api.POST("/api/review/{link_id}/captions", { ...at(link_id), body }))).data;

/** The newer text of a line that a refused change did not know; undefined for any other error. */
export function newerText(error: unknown): { revision: number; text: string | null } | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined;
  const body = error.body as { data?: { revision: number; line: { text: string } | null } };
  if (body.data === undefined) return undefined;
  return { revision: body.data.revision, text: body.data.line?.text ?? null };
}

/** The notes on the captions in a language, and what may be done with them. */
export function useReviewNotes(id: string, language: string | undefined) {
  const { data, mutate } = useSWR<Note[], Error>(
    keys.reviewNotes(id, language),
    async () => {
      const params = { path: { link_id: id }, query: { language } };
      return (await unwrap(api.GET("/api/review/{link_id}/notes", { params }))).data;
    },
    { refreshInterval: NOTES_EVERY_MS, shouldRetryOnError: (error) => !isOut(error) },
  );
  const actions = useMemo((): NoteActions => {
    const run = async (call: () => Promise<{ data: Note[] }>): Promise<boolean> => {
      try {
        await mutate((await call()).data, { revalidate: false });
        return true;
      } catch (error) {
        toast("error", (error as Error).message);
        return false;
      }
    };
    const one = (note_id: string) => ({ params: { path: { link_id: id, note_id } } });
    const path = "/api/review/{link_id}/notes/{note_id}" as const;
    return {
      add: (note) =>
        run(() =>
          unwrap(
            api.POST("/api/review/{link_id}/notes", { ...at(id), body: { ...note, language } }),
          ),
        ),
      change: (note, body) => run(() => unwrap(api.PUT(path, { ...one(note), body }))),
      remove: (note) => run(() => unwrap(api.DELETE(path, one(note)))),
    };
  }, [id, language, mutate]);
  return { notes: data, actions };
}
