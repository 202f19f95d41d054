/** The locks of a browser (`navigator.locks`) for tests, as far as pages hold them. */
type Use = (lock: { name: string } | null) => Promise<unknown> | undefined;
interface Options {
  ifAvailable?: boolean;
  signal?: AbortSignal;
}
interface Waiting {
  hold: Use;
  end: (value: unknown) => void;
}

export class Locks {
  private readonly held = new Map<string, symbol>();
  private readonly waiting = new Map<string, Waiting[]>();

  request(name: string, ...rest: [Use] | [Options, Use]): Promise<unknown> {
    const hold = rest.at(-1) as Use;
    const { ifAvailable = false, signal } = rest.length === 2 ? (rest[0] as Options) : {};
    if (!this.held.has(name)) return this.give(name, hold);
    if (ifAvailable) return Promise.resolve(hold(null));
    return new Promise((end, fail) => {
      const one = { hold, end };
      this.waiting.set(name, [...(this.waiting.get(name) ?? []), one]);
      signal?.addEventListener("abort", () => {
        const others = (this.waiting.get(name) ?? []).filter((each) => each !== one);
        this.waiting.set(name, others);
        fail(new DOMException("aborted", "AbortError"));
      });
    });
  }

  /** All pages are closed. */
  closePages(): void {
    this.waiting.clear();
    this.held.clear();
  }

  private async give(name: string, hold: Use): Promise<unknown> {
    const held = Symbol(name);
    this.held.set(name, held);
    const value = await hold({ name });
    if (this.held.get(name) !== held) return value;
    this.held.delete(name);
    const [next, ...others] = this.waiting.get(name) ?? [];
    this.waiting.set(name, others);
    if (next !== undefined) next.end(this.give(name, next.hold));
    return value;
  }
}
