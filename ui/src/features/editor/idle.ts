const LATEST_MS = 500;

/** Do work when the page has time for it, at the latest after half a second. Returns a function that calls it off. */
export function whenIdle(work: () => void): () => void {
  // Safari has no idle time.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(work, 0);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: LATEST_MS });
  return () => cancelIdleCallback(asked);
}
