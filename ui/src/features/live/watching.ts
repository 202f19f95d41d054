/** What anybody with the link of a recording reads. */
import { useEffect, useState } from "react";
import { api, ApiError, unwrap, type Schemas } from "../../platform/api/client";
import type { LiveWord } from "./data";

const LOOK_AGAIN_MS = 2_000;

export interface Watched {
  watch: Omit<Schemas["WatchOut"], "words" | "next"> | undefined;
  words: readonly LiveWord[];
  /** Why nothing can be read: the link is closed. */
  closed: string;
}

/** Follow a recording until it is over or its link is closed. The browser connects again by itself. */
export function useWatched(token: string): Watched {
  const [state, setState] = useState<Watched>({ watch: undefined, words: [], closed: "" });
  useEffect(() => {
    let isGone = false;
    let next = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let events: EventSource | undefined;

    const add = (words: readonly LiveWord[]) =>
      setState((held) => ({ ...held, words: [...held.words, ...words] }));

    /** All words so far, and whether more will come. */
    const look = async () => {
      try {
        const params = { path: { token }, query: { after: next } };
        const { data } = await unwrap(api.GET("/api/watch/{token}", { params }));
        if (isGone) return;
        const { words, next: following, ...watch } = data;
        next = following;
        setState((held) => ({ ...held, watch, closed: "" }));
        add(words);
        if (words.length > 0) void look();
        else if (!watch.is_over) follow();
      } catch (error) {
        if (isGone) return;
        if (error instanceof ApiError && error.status === 404)
          setState((held) => ({ ...held, closed: error.message }));
        else timer = setTimeout(() => void look(), LOOK_AGAIN_MS);
      }
    };

    const follow = () => {
      const source = new EventSource(
        `/api/watch/${encodeURIComponent(token)}/events?after=${next}`,
      );
      events = source;
      source.addEventListener("words", ({ data, lastEventId }: MessageEvent<string>) => {
        next = Number(lastEventId);
        add((JSON.parse(data) as { words: LiveWord[] }).words);
      });
      const lookOnce = () => {
        source.close();
        void look();
      };
      source.addEventListener("over", lookOnce);
      source.addEventListener("closed", lookOnce);
      // The browser gives up where the answer is no stream, as that of a proxy.
      source.addEventListener("error", () => {
        if (source.readyState !== EventSource.CLOSED || isGone) return;
        timer = setTimeout(() => void look(), LOOK_AGAIN_MS);
      });
    };

    void look();
    return () => {
      isGone = true;
      clearTimeout(timer);
      events?.close();
    };
  }, [token]);
  return state;
}
