// Keeps the pages themselves, so that they open without a network: `index.html` and the assets that were used. Calls,
// media and everything about people pass by: what the browser keeps of them is in `src/domain/offline`.
// The build puts this file at /sw.js, with the name of the build for `BUILD`.
//
// A new build takes over beside the former one: it first keeps its own form of every asset that was used, because there
// may be no network when the next page opens, and the former assets stay for pages that are still open.
const KEPT = "sagascript-pages-";
const CACHE = `${KEPT}BUILD`;
const PAGE = "/index.html";
/** Without a hash in their names: fetched anew while there is a network. */
const PLAIN = [PAGE, "/scheme.js", "/logo.svg"];
const ASSETS = "/assets/";
/** What each asset of the build imports: `{path: paths}`. */
const IMPORTS = `${ASSETS}imports-BUILD.json`;
/** Not pages of the app. `/api/docs` and the manual are pages without us. */
const NOT_PAGES = /^\/(api|docs|v1|sanctum|tus|app|apps|pusher|assets)(\/|$)|\.[a-z0-9]+$/;
const CODE = /\.(js|css)$/;
/** A proxy answers for a server that is not there. */
const AWAY = new Set([502, 503, 504]);
const URLS_MAX = 500;

self.addEventListener("install", (event) => {
  const fill = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(PLAIN.map((path) => new Request(path, { cache: "reload" })));
    const used = await usedPaths();
    if (used.size > 0) await cache.addAll(await assetsLike(used, await entries(cache)));
  };
  event.waitUntil(fill().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const clear = async () => {
    await Promise.all((await formerCaches()).slice(0, -1).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(clear());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (request.mode === "navigate") {
    if (!NOT_PAGES.test(pathname)) event.respondWith(page(request));
  } else if (pathname.startsWith(ASSETS)) event.respondWith(asset(request));
  else if (PLAIN.includes(pathname)) event.respondWith(plain(request));
});

/** A page names what it loaded before this worker was there. */
self.addEventListener("message", (event) => {
  const urls = event.data?.keep;
  if (Array.isArray(urls)) event.waitUntil(keep(urls.slice(0, URLS_MAX)));
});

async function keep(urls) {
  const cache = await caches.open(CACHE);
  const own = urls
    .map((url) => new URL(String(url), self.location.origin))
    .filter(
      ({ origin, pathname }) => origin === self.location.origin && pathname.startsWith(ASSETS),
    );
  for (const { pathname } of own) {
    // One that is gone belongs to an older build.
    if ((await cache.match(pathname)) === undefined)
      await cache.add(pathname).catch(() => undefined);
  }
}

/** Those of other builds, oldest first. */
const formerCaches = async () =>
  (await caches.keys()).filter((name) => name.startsWith(KEPT) && name !== CACHE);

/** The name of an asset without the hash of its content. */
const nameOf = (path) => path.replace(/-[\w-]{8}(?=\.\w+$)/, "");

/** The assets of former builds that this browser used. */
async function usedPaths() {
  const paths = new Set();
  for (const former of await formerCaches()) {
    for (const { url } of await (await caches.open(former)).keys()) {
      const { pathname } = new URL(url);
      if (pathname.startsWith(ASSETS)) paths.add(pathname);
    }
  }
  return paths;
}

/** What the page itself names. */
const entries = async (cache) =>
  (await (await cache.match(PAGE)).text()).match(/\/assets\/[\w.-]+/g) ?? [];

/** The assets of this build with the names of those used, the first ones of its page, and all that they import. */
async function assetsLike(used, first) {
  const answer = await fetch(IMPORTS);
  if (!answer.ok) throw new Error(`The list of assets was answered with ${answer.status}.`);
  const imports = await answer.json();
  const all = Object.keys(imports);
  const names = new Set([...used].map(nameOf));
  const isAlone = (path) => all.filter((other) => nameOf(other) === nameOf(path)).length === 1;
  // All dictionaries have one name, and they are large: of those only the same ones.
  const isLike = (path) =>
    used.has(path) || (names.has(nameOf(path)) && (CODE.test(path) || isAlone(path)));
  const found = new Set([...first.filter((path) => path in imports), ...all.filter(isLike)]);
  // A set also goes through what is added meanwhile.
  for (const path of found) for (const one of imports[path] ?? []) found.add(one);
  return [...found];
}

async function page(request) {
  const shell = async () => (await caches.open(CACHE)).match(PAGE);
  try {
    const answer = await fetch(request);
    return AWAY.has(answer.status) ? ((await shell()) ?? answer) : answer;
  } catch (error) {
    const held = await shell();
    if (held === undefined) throw error;
    return held;
  }
}

async function asset(request) {
  const held = await caches.match(request, { ignoreVary: true });
  if (held !== undefined) return held;
  const cache = await caches.open(CACHE);
  const answer = await fetch(request);
  // A full disk must not keep the page from loading.
  if (answer.status === 200) void cache.put(request, answer.clone()).catch(() => undefined);
  return answer;
}

async function plain(request) {
  const kept = async () => (await caches.open(CACHE)).match(request, { ignoreVary: true });
  try {
    const answer = await fetch(request);
    return AWAY.has(answer.status) ? ((await kept()) ?? answer) : answer;
  } catch (error) {
    const held = await kept();
    if (held === undefined) throw error;
    return held;
  }
}
