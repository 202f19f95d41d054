/** A live recording and what was said in it, as the server knows it. */
import { useEffect, useState } from "react";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { onOutlook } from "./outlook";

export type Live = Schemas["LiveOut"];
export type LiveWord = Schemas["LiveWordOut"];

/** Events bring what is new. This poll is for browsers whose events do not arrive, and for the end of the recording. */
const LOOK_AGAIN_MS = 2_000;
/** A pause of this length begins a paragraph, and in a long one a breath does. */
const PAUSE_MS = 1_500;
const BREATH_MS = 250;
const LONG_CHARS = 280;

export interface LiveText {
  live: Live | undefined;
  words: readonly LiveWord[];
  /** What may still change. */
  outlook: string;
  error: Error | undefined;
}

interface State extends LiveText {
  next: number;
  /** Groups of final words before the outlook. */
  outlookAfter: number;
}

const NOTHING: State = {
  live: undefined,
  words: [],
  outlook: "",
  error: undefined,
  next: 0,
  outlookAfter: 0,
};

/** What may still change after so many groups of final words: an older outlook holds words that are final by now. */
export const outlookOf = (
  { outlook, outlookAfter }: Pick<State, "outlook" | "outlookAfter">,
  next: number,
): string => (next > outlookAfter ? "" : outlook);

export const fetchLive = async (slug: string, after: number) =>
  (await unwrap(api.GET("/api/live/{key}", { params: { path: { key: slug }, query: { after } } })))
    .data;

/** Follow a recording. Final words never change; more of them come. */
export function useLiveText(slug: string): LiveText {
  const [state, setState] = useState<State>(NOTHING);
  useEffect(() => {
    let isOver = false;
    let next = 0;
    let isFetching = false;
    let isMore = false;
    setState(NOTHING);
    const look = async () => {
      if (isFetching) {
        isMore = true;
        return;
      }
      isFetching = true;
      try {
        const { live, words, next: following } = await fetchLive(slug, next);
        if (isOver) return;
        next = following;
        setState((held) => ({
          ...held,
          live,
          error: undefined,
          next: following,
          words: words.length === 0 ? held.words : [...held.words, ...words],
          outlook: live.is_over ? "" : outlookOf(held, following),
        }));
      } catch (error) {
        if (!isOver) setState((held) => ({ ...held, error: error as Error }));
      } finally {
        isFetching = false;
        if (isMore && !isOver) {
          isMore = false;
          void look();
        }
      }
    };
    void look();
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    const forget = onOutlook((outlook) => {
      if (outlook.slug !== slug) return;
      setState((held) => {
        const heard = { outlook: outlook.text, outlookAfter: outlook.final };
        return { ...held, outlookAfter: outlook.final, outlook: outlookOf(heard, held.next) };
      });
      if (outlook.final > next) void look();
    });
    return () => {
      isOver = true;
      clearInterval(timer);
      forget();
    };
  }, [slug]);
  return state;
}

export interface Paragraph {
  start_ms: number;
  text: string;
}

/** The words as paragraphs, each after a pause. */
export function paragraphsOf(words: readonly LiveWord[]): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let endMs = Number.NEGATIVE_INFINITY;
  for (const word of words) {
    const last = paragraphs.at(-1);
    const pauseMs = (last?.text.length ?? 0) < LONG_CHARS ? PAUSE_MS : BREATH_MS;
    if (last === undefined || word.start_ms - endMs >= pauseMs)
      paragraphs.push({ start_ms: word.start_ms, text: word.text });
    else last.text += ` ${word.text}`;
    endMs = word.end_ms;
  }
  return paragraphs;
}

/** The recordings that run, of everybody whose files one sees. */
export const openRecordings = async () => (await unwrap(api.GET("/api/live"))).data;
