/** Calls that begin before the page that needs them has loaded; each answers one fetch. */

/** A page that opens later than this fetches anew. */
const NEW_FOR_MS = 10_000;

const begun = new Map<string, { at: number; answer: Promise<unknown> }>();

/** Begin a call now. `key` is the fetch that it will answer. */
export function begin<T>(key: string, call: () => Promise<T>): Promise<T> {
  const answer = call();
  // Whoever needs the answer shows the error.
  answer.catch(() => undefined);
  begun.set(key, { at: performance.now(), answer });
  return answer;
}

/** The answer to a call that has begun for `key`, else the one to a new `call`. */
export function begunOr<T>(key: string, call: () => Promise<T>): Promise<T> {
  const early = begun.get(key);
  begun.delete(key);
  if (early === undefined || performance.now() - early.at > NEW_FOR_MS) return call();
  return early.answer as Promise<T>;
}
