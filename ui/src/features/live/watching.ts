/** What anybody with the link of a recording reads. */
import { useEffect, useState } from "react";
import { api, ApiError, unwrap, type Schemas } from "../../platform/api/client";
import type { LiveWord } from "./data";

const LOOK_AGAIN_MS = 1_000;

export interface Watched {
  watch: Omit<Schemas["WatchOut"], "words" | "next"> | undefined;
  words: readonly LiveWord[];
  /** The link is closed. */
  closed: string;
}

/** Follow a recording until it is over or its link is closed. A lost connection is tried again. */
export function useWatched(token: string): Watched {
  const [state, setState] = useState<Watched>({ watch: undefined, words: [], closed: "" });
  useEffect(() => {
    let isOver = false;
    let next = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      try {
        const params = { path: { token }, query: { after: next } };
        const { data } = await unwrap(api.GET("/api/watch/{token}", { params }));
        if (isOver) return;
        const { words, next: following, ...watch } = data;
        next = following;
        setState((held) => ({ watch, words: [...held.words, ...words], closed: "" }));
        if (watch.is_over && words.length === 0) return;
      } catch (error) {
        if (isOver) return;
        if (error instanceof ApiError && error.status === 404) {
          setState((held) => ({ ...held, closed: error.message }));
          return;
        }
      }
      timer = setTimeout(() => void look(), LOOK_AGAIN_MS);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [token]);
  return state;
}
