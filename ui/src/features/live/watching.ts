/** What anybody with the link of a recording reads. */
import { useEffect, useState } from "react";
import { api, ApiError, unwrap, type Schemas } from "../../platform/api/client";
import type { LiveWord } from "./data";

const LOOK_AGAIN_MS = 2_000;

/** After the end a translation may still get its last lines. */
const LAST_LINES_MS = 60_000;

export type WatchedLine = Schemas["WatchLineOut"];

export interface Watched {
  watch: Omit<Schemas["WatchOut"], "words" | "next"> | undefined;
  words: readonly LiveWord[];
  /** Of the translation, in order. */
  lines: readonly WatchedLine[];
  /** Why nothing can be read: the link is closed. */
  closed: string;
}

/** The lines with those that are new or have changed. */
export function withLines(
  held: readonly WatchedLine[],
  news: readonly WatchedLine[],
): readonly WatchedLine[] {
  if (news.length === 0) return held;
  const ids = new Set(news.map(({ id }) => id));
  return [...held.filter(({ id }) => !ids.has(id)), ...news].sort(
    (one, other) => one.start_ms - other.start_ms,
  );
}

const NOTHING: Watched = { watch: undefined, words: [], lines: [], closed: "" };

/** Follow a recording until it is over or its link is closed. The browser connects again by itself.
 *
 * With `language`, also the lines of that translation.
 */
export function useWatched(token: string, language: string | undefined): Watched {
  const [state, setState] = useState<Watched>(NOTHING);
  useEffect(() => {
    setState(NOTHING);
    let linesUntil = 0;
    let endedAt: number | undefined;
    let isGone = false;
    let next = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let events: EventSource | undefined;

    const add = (words: readonly LiveWord[]) =>
      setState((held) => ({ ...held, words: [...held.words, ...words] }));

    let lines: readonly WatchedLine[] = [];
    const addLines = (news: Schemas["WatchLinesOut"], isWhole: boolean) => {
      // An answer that took longer than a newer one.
      if (news.next < linesUntil) return;
      lines = withLines(isWhole ? [] : lines, news.lines);
      linesUntil = news.next;
      setState((held) => ({ ...held, lines }));
      // Some of them are gone, as when two became one.
      if (lines.length !== news.count && !isWhole) void lookAtLines(0);
    };

    /** The lines of the translation that are new since the last look; with 0 all of them. */
    const lookAtLines = async (after: number) => {
      if (language === undefined) return;
      try {
        const params = { path: { token, language }, query: { after } };
        const { data } = await unwrap(api.GET("/api/watch/{token}/lines/{language}", { params }));
        if (!isGone) addLines(data, after === 0);
      } catch {
        // The link says by itself when it is closed; a language that is no longer translated shows what there is.
      }
      if (endedAt !== undefined && !isGone && Date.now() - endedAt < LAST_LINES_MS)
        timer = setTimeout(() => void lookAtLines(linesUntil), LOOK_AGAIN_MS);
    };

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
        else {
          endedAt = Date.now();
          void lookAtLines(linesUntil);
        }
      } catch (error) {
        if (isGone) return;
        if (error instanceof ApiError && error.status === 404)
          setState((held) => ({ ...held, closed: error.message }));
        else timer = setTimeout(() => void look(), LOOK_AGAIN_MS);
      }
    };

    const follow = () => {
      const source = new EventSource(
        `/api/watch/${encodeURIComponent(token)}/events?after=${next}${language === undefined ? "" : `&language=${encodeURIComponent(language)}`}`,
      );
      events = source;
      // Lines that come from now on are told; those before, also of a time without connection, are fetched.
      source.addEventListener("open", () => void lookAtLines(linesUntil));
      source.addEventListener("lines", ({ data }: MessageEvent<string>) => {
        addLines(JSON.parse(data) as Schemas["WatchLinesOut"], false);
      });
      source.addEventListener("languages", ({ data }: MessageEvent<string>) => {
        const { translations } = JSON.parse(data) as { translations: string[] };
        setState((held) => ({ ...held, watch: held.watch && { ...held.watch, translations } }));
      });
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
  }, [token, language]);
  return state;
}
