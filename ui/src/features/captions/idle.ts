/** Do work when the page has time for it, or after `latestMs`. Returns a function that calls it off. */
export function whenIdle(work: () => void, latestMs = 500): () => void {
  // Safari has no idle time.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(work, 0);
    return () => clearTimeout(timer);
  }
  const asked = requestIdleCallback(work, { timeout: latestMs });
  return () => cancelIdleCallback(asked);
}
