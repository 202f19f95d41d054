import useSWR from "swr";
import { ApiError, send } from "../../api/client";
import { keys } from "../../api/keys";
import type { Captions, EditAction, Line } from "./types";

export interface Edit {
  action: EditAction;
  line?: string | null;
  start?: number | null;
  end?: number | null;
  content?: string | null;
  at?: number | null;
}

export interface Saved {
  revision: number;
  changed: Line[];
  removed: string[];
  can_undo: boolean;
  can_redo: boolean;
}

/** Somebody else changed the line meanwhile: nothing was saved, and this is what the line says now. */
export class StaleLine extends Error {
  constructor(
    message: string,
    readonly revision: number,
    readonly line: Line | null,
  ) {
    super(message);
  }
}

export function useCaptions(slug: string) {
  return useSWR<Captions, Error>(
    keys.captions(slug),
    async () =>
      (await send<{ data: Captions }>("GET", `/api/files/captions/${slug}?_t=${Date.now()}`)).data,
    { revalidateOnFocus: false },
  );
}

export async function saveEdit(captions: Captions, edit: Edit): Promise<Saved> {
  try {
    const answer = await send<{ data: Saved }>(
      "POST",
      `/api/files/captions/${captions.file_slug}`,
      {
        ...edit,
        language: captions.language,
        issued: captions.revision,
      },
    );
    return answer.data;
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) {
      const body = error.body as { data?: { revision: number; line: Line | null } } | undefined;
      if (body?.data !== undefined)
        throw new StaleLine(error.message, body.data.revision, body.data.line);
    }
    throw error;
  }
}

/** The captions after a change that the server confirmed; lines stay in order of time. */
export function applySaved(captions: Captions, saved: Saved): Captions {
  const gone = new Set([...saved.removed, ...saved.changed.map((line) => line.id)]);
  const lines = [...captions.lines.filter((line) => !gone.has(line.id)), ...saved.changed];
  lines.sort((a, b) => a.start_ms - b.start_ms || a.end_ms - b.end_ms);
  return {
    ...captions,
    lines,
    revision: saved.revision,
    can_undo: saved.can_undo,
    can_redo: saved.can_redo,
  };
}
