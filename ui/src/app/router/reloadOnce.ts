const GUARD_MS = 10_000;
const KEY = "reloaded:";

/** Load the page again, at most once per path within ten seconds; false when that was done just now. */
export function reloadOnce(
  path: string,
  now = Date.now(),
  reload = () => window.location.reload(),
): boolean {
  const last = Number(sessionStorage.getItem(KEY + path) ?? 0);
  if (now - last < GUARD_MS) return false;
  sessionStorage.setItem(KEY + path, String(now));
  reload();
  return true;
}
