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

/** Returns whether somebody has taken care of it, so that nothing need be fetched otherwise. */
export const report = (change: TrackChange): boolean =>
  [...listeners].map((listener) => listener(change)).some(Boolean);
