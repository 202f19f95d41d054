/** The service worker (`ui/serviceWorker.js`), which keeps the pages themselves so that they open without a network. */

const ASSETS = `${globalThis.location?.origin}/assets/`;

/** Begin to keep the pages in this browser. Nothing happens where it has no service workers, as at addresses without TLS. */
export async function keepPages(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  try {
    // `offlineAnswer` needs it without a network. Once the worker is there, so is this: the worker keeps what was loaded.
    await import("./copies");
    await navigator.serviceWorker.register("/sw.js", { scope: "/", updateViaCache: "none" });
    const { active } = await navigator.serviceWorker.ready;
    // What loads before the worker controls the page passes it by.
    new PerformanceObserver((list) => {
      const keep = list
        .getEntries()
        .map(({ name }) => name)
        .filter((name) => name.startsWith(ASSETS));
      if (keep.length > 0) (navigator.serviceWorker.controller ?? active)?.postMessage({ keep });
    }).observe({ type: "resource", buffered: true });
  } catch {
    // Storage is turned off, or the server went away: the pages need the network.
  }
}
