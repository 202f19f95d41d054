/**
 * Which pages of this browser are open. A page holds a lock under its name; the browser releases it when the page
 * closes or dies, and then one other page gets it. Browsers without locks (on addresses without TLS) answer that every
 * other page is closed: two pages may then send the same change, which the server takes once.
 */
const PREFIX = "sagascript.page.";

const locks = (): LockManager | undefined => globalThis.navigator?.locks;

/** Hold the lock of a page until the signal. Resolves once it is held. */
export function holdLock(page: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const all = locks();
    if (all === undefined) return resolve();
    void all
      .request(PREFIX + page, () => {
        resolve();
        return ended(signal);
      })
      .catch(() => resolve());
  });
}

/** Whether that page is closed. If it is, nobody else is told so before the signal. */
export function isClosed(page: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const all = locks();
    if (all === undefined) return resolve(true);
    void all
      .request(PREFIX + page, { ifAvailable: true }, (lock) => {
        resolve(lock !== null);
        return lock === null ? undefined : ended(signal);
      })
      .catch(() => resolve(false));
  });
}

/** Call `then` when that page closes, unless another page is told first. */
export function whenClosed(page: string, signal: AbortSignal, then: () => void): void {
  // The request ends with an error when the signal comes first.
  void locks()
    ?.request(PREFIX + page, { signal }, () => {
      if (signal.aborted) return undefined;
      then();
      return ended(signal);
    })
    .catch(() => undefined);
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
