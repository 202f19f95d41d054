/** Refetches what events made stale: at once after a state change, at most once a second during progress. */
export const PROGRESS_EVERY_MS = 1_000;

export class Refresher {
  private readonly waiting = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly refetch: (key: string) => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** `urgent` is for state changes; progress may wait. */
  add(keys: string[], urgent: boolean): void {
    for (const key of keys) this.waiting.add(key);
    const delay = urgent ? 0 : Math.max(0, this.last + PROGRESS_EVERY_MS - this.now());
    if (delay === 0) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), delay);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting.clear();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.last = this.now();
    const keys = [...this.waiting];
    this.waiting.clear();
    for (const key of keys) this.refetch(key);
  }
}
