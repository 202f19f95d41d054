/** Notes on the lines of a track. */
import { useMemo } from "react";
import useSWR, { useSWRConfig } from "swr";
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";
import { toast } from "../../../platform/notices/toast";

export type Note = Schemas["NoteOut"];
export type Reply = Schemas["ReplyOut"];
type NewNote = Omit<Schemas["NewNote"], "language">;

export const useNotes = (slug: string, language: string | undefined) =>
  useSWR<Note[], Error>(language === undefined ? null : keys.noteList(slug, language), async () => {
    const params = { path: { key: slug }, query: { language } };
    return (await unwrap(api.GET("/api/files/captions/{key}/notes", { params }))).data;
  });

export interface NoteActions {
  add: (note: NewNote) => Promise<boolean>;
  change: (id: string, change: Schemas["NoteChange"]) => Promise<boolean>;
  remove: (id: string) => Promise<boolean>;
}

/** Each resolves to whether it was done; a refusal is shown. */
export function useNoteActions(slug: string, language: string): NoteActions {
  const { mutate } = useSWRConfig();
  return useMemo(() => {
    const run = async (call: () => Promise<{ data: Note[] }>): Promise<boolean> => {
      try {
        const { data } = await call();
        await mutate(keys.noteList(slug, language), data, { revalidate: false });
        return true;
      } catch (error) {
        toast("error", (error as Error).message);
        return false;
      }
    };
    const path = (note_id: string) => ({ params: { path: { key: slug, note_id } } });
    const one = "/api/files/captions/{key}/notes/{note_id}" as const;
    return {
      add: (note) =>
        run(() =>
          unwrap(
            api.POST("/api/files/captions/{key}/notes", {
              params: { path: { key: slug } },
              body: { ...note, language },
            }),
          ),
        ),
      change: (id, body) => run(() => unwrap(api.PUT(one, { ...path(id), body }))),
      remove: (id) => run(() => unwrap(api.DELETE(one, path(id)))),
    };
  }, [language, mutate, slug]);
}

/** How many open threads each line has. */
export function openByLine(notes: readonly Note[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { line, resolved_at } of notes) {
    if (line !== null && resolved_at === null) counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}
