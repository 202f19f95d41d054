import { isAway } from "./client";

/**
 * What the browser keeps of an answer, when the server cannot be reached; throws `error` otherwise. The code for it is
 * there after an editor was open, and only then there is anything to find.
 */
export async function offlineAnswer<T>(key: string, error: unknown): Promise<T> {
  if (!isAway(error)) throw error;
  const answer = await import("../../domain/offline/copies").then(
    ({ answerFor }) => answerFor(key),
    () => undefined,
  );
  if (answer === undefined) throw error;
  return answer as T;
}
