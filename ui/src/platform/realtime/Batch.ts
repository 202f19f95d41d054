/** Gathers what comes often, so that fifty events a second cost the page a few renders. */
export class Batch<T> {
  private readonly waiting = new Set<T>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last = Number.NEGATIVE_INFINITY;

  /** `take` gets everything that came since its last call, in order; what is equal came once. */
  constructor(
    private readonly everyMs: number,
    private readonly take: (items: T[]) => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** `urgent` is for state changes, which are taken at once; progress may wait for `everyMs`. */
  add(items: readonly T[], urgent: boolean): void {
    for (const item of items) this.waiting.add(item);
    const delay = urgent ? 0 : Math.max(0, this.last + this.everyMs - this.now());
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
    const items = [...this.waiting];
    this.waiting.clear();
    this.take(items);
  }
}
