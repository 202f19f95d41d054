import { readFileSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";

const ORIGIN = "https://captions.example";
const SOURCE = readFileSync(`${import.meta.dirname}/../../../serviceWorker.js`, "utf8");
const pathOf = (request: string | Request) =>
  new URL(typeof request === "string" ? request : request.url, ORIGIN).pathname;

/** What the server answers, by path; undefined while it cannot be reached. */
let server: Map<string, string | number> | undefined;
let stores: Map<string, Map<string, Response>>;

async function fetched(request: string | Request): Promise<Response> {
  if (server === undefined) throw new TypeError("offline");
  const held = server.get(pathOf(request)) ?? 404;
  return typeof held === "number" ? new Response("", { status: held }) : new Response(held);
}

function cacheNamed(name: string) {
  const held = stores.get(name) ?? new Map<string, Response>();
  stores.set(name, held);
  const add = async (request: string | Request) => {
    const answer = await fetched(request);
    if (!answer.ok) throw new TypeError(`${pathOf(request)} was not added`);
    held.set(pathOf(request), answer);
  };
  return {
    match: async (request: string | Request) => held.get(pathOf(request))?.clone(),
    put: async (request: Request, answer: Response) => void held.set(pathOf(request), answer),
    keys: async () => [...held.keys()].map((path) => ({ url: ORIGIN + path })),
    add,
    addAll: async (all: (string | Request)[]) => void (await Promise.all(all.map(add))),
  };
}

const caches = {
  open: async (name: string) => cacheNamed(name),
  keys: async () => [...stores.keys()],
  delete: async (name: string) => stores.delete(name),
  match: async (request: Request) =>
    [...stores.values()]
      .map((held) => held.get(pathOf(request)))
      .find(Boolean)
      ?.clone(),
};

class LocalRequest extends Request {
  constructor(path: string, more?: RequestInit) {
    super(new URL(path, ORIGIN), more);
  }
}

/** The worker of one build, as a browser runs it. */
class Worker {
  private readonly listeners = new Map<string, (event: unknown) => void>();

  constructor(build: string) {
    const self = {
      location: { origin: ORIGIN },
      clients: { claim: async () => undefined },
      skipWaiting: async () => undefined,
      addEventListener: (name: string, listener: (event: unknown) => void) =>
        this.listeners.set(name, listener),
    };
    const source = SOURCE.replaceAll("BUILD", build);
    new Function("self", "caches", "fetch", "Request", source)(self, caches, fetched, LocalRequest);
  }

  async run(name: "install" | "activate" | "message", data?: unknown): Promise<void> {
    const waits: Promise<unknown>[] = [];
    this.listeners.get(name)?.({ data, waitUntil: (wait: Promise<unknown>) => waits.push(wait) });
    await Promise.all(waits);
  }

  async begin(): Promise<this> {
    await this.run("install");
    await this.run("activate");
    return this;
  }

  async get(path: string, mode = "no-cors"): Promise<string | number> {
    const answers: Promise<Response>[] = [];
    const request = { url: ORIGIN + path, method: "GET", mode };
    this.listeners.get("fetch")?.({
      request,
      respondWith: (answer: Promise<Response>) => answers.push(answer),
    });
    const answer = await (answers[0] ?? fetched(ORIGIN + path));
    return answer.ok ? answer.text() : answer.status;
  }

  open = (path: string) => this.get(path, "navigate");
}

function serve(build: string, imports: Record<string, string[]>): void {
  server = new Map<string, string | number>([
    ...["/index.html", "/scheme.js", "/logo.svg", "/captions/talk"].map(
      (path): [string, string] => [path, `${path} of ${build}`],
    ),
    ...Object.keys(imports).map((path): [string, string] => [path, `${path} of ${build}`]),
    [`/assets/imports-${build}.json`, JSON.stringify(imports)],
  ]);
}

const FIRST = {
  "/assets/main-aaaaaaaa.js": [],
  "/assets/editor-aaaaaaaa.js": [],
  "/assets/index-iiiiiiii.aff": [],
};
const SECOND = {
  "/assets/main-bbbbbbbb.js": ["/assets/shared-bbbbbbbb.js"],
  "/assets/shared-bbbbbbbb.js": ["/assets/deep-b_b-bbbb.css"],
  "/assets/deep-b_b-bbbb.css": [],
  "/assets/editor-bbbbbbbb.js": [],
  "/assets/index-iiiiiiii.aff": [],
  "/assets/unused-bbbbbbbb.js": [],
};
/** Named by the page, which loads it first. */
const ENTRY = "/assets/entry-eeeeeeee.js";
const LARGE = "/assets/index-llllllll.aff";

beforeEach(() => {
  stores = new Map();
});

async function firstBuild(): Promise<Worker> {
  serve("one", FIRST);
  const worker = await new Worker("one").begin();
  await worker.run("message", { keep: Object.keys(FIRST) });
  return worker;
}

it("opens a new build without a network after the old one was used, with all that it imports", async () => {
  await firstBuild();
  serve("two", { ...SECOND, [ENTRY]: [], [LARGE]: [] });
  const html = `<script src="${ENTRY}"></script>`;
  server?.set("/index.html", html);
  const worker = await new Worker("two").begin();
  server = undefined;
  expect(await worker.open("/captions/talk")).toBe(html);
  expect(await worker.get(ENTRY)).toBe(`${ENTRY} of two`);
  await expect(worker.get(LARGE)).rejects.toThrow("offline");
  const { "/assets/unused-bbbbbbbb.js": unused, ...used } = SECOND;
  expect(unused).toEqual([]);
  for (const path of Object.keys(used).filter((one) => one.endsWith(".js")))
    expect(await worker.get(path)).toBe(`${path} of two`);
  await expect(worker.get("/assets/unused-bbbbbbbb.js")).rejects.toThrow("offline");
});

it("keeps the old build for pages that are still open, and no older one", async () => {
  await firstBuild();
  serve("two", SECOND);
  const second = await new Worker("two").begin();
  expect(await second.get("/assets/editor-aaaaaaaa.js")).toBe("/assets/editor-aaaaaaaa.js of one");
  serve("three", { "/assets/main-cccccccc.js": [] });
  const third = await new Worker("three").begin();
  expect([...stores.keys()]).toEqual(["sagascript-pages-two", "sagascript-pages-three"]);
  expect(await third.open("/captions/talk")).toBe("/captions/talk of three");
});

it("stays at the old build while the new one cannot be fetched whole", async () => {
  const worker = await firstBuild();
  serve("two", SECOND);
  server?.set("/assets/deep-b_b-bbbb.css", 503);
  await expect(new Worker("two").run("install")).rejects.toThrow();
  server = undefined;
  expect(await worker.open("/captions/talk")).toBe("/index.html of one");
});

it.each([502, 503, 504])("opens the pages it keeps when a proxy answers %d", async (status) => {
  const worker = await firstBuild();
  server = new Map(["/captions/talk", "/scheme.js", "/logo.svg"].map((path) => [path, status]));
  expect(await worker.open("/captions/talk")).toBe("/index.html of one");
  expect(await worker.get("/scheme.js")).toBe("/scheme.js of one");
  expect(await worker.get("/assets/editor-aaaaaaaa.js")).toBe("/assets/editor-aaaaaaaa.js of one");
});

it("lets calls, media and other answers of the server pass", async () => {
  const worker = await firstBuild();
  server?.set("/captions/talk", 404);
  expect(await worker.open("/captions/talk")).toBe(404);
  server?.set("/api/user", "Ada");
  expect(await worker.get("/api/user")).toBe("Ada");
  server = undefined;
  await expect(worker.get("/api/user")).rejects.toThrow("offline");
});
