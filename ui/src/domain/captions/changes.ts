/** Changes of captions that events report, for the editor that has them open. Small: the first screen loads it. */

export interface TrackChange {
  slug: string;
  language: string;
  revision: number;
}

/** Returns whether it has taken care of the change. */
type Listener = (change: TrackChange) => boolean;

const listeners = new Set<Listener>();

/** Hear of changes until the returned function is called. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns whether it looks itself for what has changed behind this key of the cache. */
type Check = (key: string) => boolean;

const checks = new Set<Check>();

/** Be called when events may have been lost, until the returned function is called. */
export function onMissed(check: Check): () => void {
  checks.add(check);
  return () => checks.delete(check);
}

/** Events may have been lost. Returns whether somebody looks for what has changed, so that nothing need be fetched. */
export const checkMissed = (key: unknown): boolean =>
  typeof key === "string" && [...checks].map((check) => check(key)).some(Boolean);

/**
 * The argument of SWR's `mutate` for captions that a call other than the editor's own changed. An open editor fetches
 * what changed itself: SWR drops the answer to a fetch during which the editor wrote an older state into the cache.
 */
export const unlessOpen =
  (key: string) =>
  (held: unknown): boolean =>
    held === key && !checkMissed(held);

/** `slug` is undefined for a team, which may have any file. */
type AccessListener = (slug: string | undefined) => void;

const accesses = new Set<AccessListener>();

/** Be called when who may see or change a file may have changed, until the returned function is called. */
export function onAccess(slug: string, listener: () => void): () => void {
  const each: AccessListener = (changed) => {
    if (changed === undefined || changed === slug) listener();
  };
  accesses.add(each);
  return () => accesses.delete(each);
}

export function reportAccess(slug?: string): void {
  for (const listener of accesses) listener(slug);
}

/** Returns whether somebody has taken care of it, so that nothing need be fetched otherwise. */
export const report = (change: TrackChange): boolean =>
  [...listeners].map((listener) => listener(change)).some(Boolean);
