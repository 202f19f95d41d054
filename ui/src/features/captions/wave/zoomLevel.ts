/** How close the waveform is shown. It lives outside the page's state: a step draws the waveform and its two buttons. */
import { useSyncExternalStore } from "react";

/** Pixels per second. */
const ZOOMS = [12, 25, 50, 90, 160, 300] as const;
const AT_FIRST = 3;

export class ZoomLevel {
  private at = AT_FIRST;
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly get = (): number => this.at;

  /** Go closer (1) or away (-1), as far as it goes. */
  step(by: 1 | -1): void {
    this.at = Math.min(ZOOMS.length - 1, Math.max(0, this.at + by));
    for (const listener of this.listeners) listener();
  }
}

export function useZoom(level: ZoomLevel): {
  pxPerSecond: number;
  isFarthest: boolean;
  isClosest: boolean;
} {
  const at = useSyncExternalStore(level.subscribe, level.get);
  return {
    pxPerSecond: ZOOMS[at] ?? ZOOMS[AT_FIRST],
    isFarthest: at === 0,
    isClosest: at === ZOOMS.length - 1,
  };
}
