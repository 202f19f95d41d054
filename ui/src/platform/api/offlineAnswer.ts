import { isAway } from "./client";

let earlierAnswer: (key: string) => Promise<unknown> = () => Promise.resolve(undefined);

/** Set what gives the answer that this browser has from earlier, or undefined. */
export function whenAway(answer: (key: string) => Promise<unknown>): void {
  earlierAnswer = answer;
}

/**
 * What the browser keeps of an answer, when the server cannot be reached; throws `error` otherwise. The code for it is
 * there after an editor was open, and only then there is anything to find.
 */
export async function offlineAnswer<T>(key: string, error: unknown): Promise<T> {
  if (!isAway(error)) throw error;
  const answer = await earlierAnswer(key).catch(() => undefined);
  if (answer === undefined) throw error;
  return answer as T;
}
