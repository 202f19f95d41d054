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

  get pxPerSecond(): number {
    return ZOOMS[this.at] ?? ZOOMS[AT_FIRST];
  }

  get isFarthest(): boolean {
    return this.at === 0;
  }

  get isClosest(): boolean {
    return this.at === ZOOMS.length - 1;
  }

  /** Go closer (1) or away (-1), as far as it goes. */
  step(by: 1 | -1): void {
    this.at = Math.min(ZOOMS.length - 1, Math.max(0, this.at + by));
    for (const listener of this.listeners) listener();
  }
}

/** A property of the level; rerenders only when that changes. */
export function useZoom<T>(level: ZoomLevel, select: (level: ZoomLevel) => T): T {
  return useSyncExternalStore(level.subscribe, () => select(level));
}
