/** While the server cannot be reached, pages show what this browser keeps of it. */
import type { Cache, Middleware } from "swr";
import { isAway } from "../../platform/api/client";
import { answerFor } from "./copies";

type Listener = (key: string, answer: unknown) => void;

const listeners = new Set<Listener>();

/**
 * Calls `listener` with every answer of the server until the returned function is called.
 *
 * A hook of SWR without a fetcher would not do: SWR fetches changed data through the hook that mounted first, and the
 * page would keep old data if that one cannot fetch.
 */
export function whenAnswered(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export const lastAnswers: Middleware = (useNext) => (key, fetcher, config) =>
  useNext(
    key,
    fetcher &&
      (async (...parts: Parameters<typeof fetcher>) => {
        try {
          const answer = await fetcher(...parts);
          for (const listener of listeners) listener(String(key), answer);
          return answer;
        } catch (error) {
          // SWR passes on the whole configuration. What the page already shows is newer than what was kept.
          const { cache } = config as unknown as { cache: Cache };
          if (!isAway(error) || cache.get(key as string)?.data !== undefined) throw error;
          const answer = await answerFor(key);
          if (answer === undefined) throw error;
          return answer as never;
        }
      }),
    config,
  );
