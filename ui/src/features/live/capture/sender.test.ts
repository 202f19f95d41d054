import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { MOST_WAITING, SoundSender, type SenderEvents } from "./sender";

const KEPT = { ends_at_ms: 60_000, ends_why: null };
type Reply = { status: number; body?: unknown } | "lost";

let replies: Reply[] = [];
let sent: string[] = [];
const kept = (next: number): Reply => ({
  status: 200,
  body: { data: { next_piece: next, ...KEPT } },
});

beforeEach(() => {
  vi.useFakeTimers();
  replies = [];
  sent = [];
  vi.stubGlobal("document", { cookie: "XSRF-TOKEN=held" });
  vi.stubGlobal("fetch", (url: string) => {
    if (!url.startsWith("/api/live/")) return Promise.resolve(new Response("{}"));
    sent.push(url.slice("/api/live/talk/sound/".length));
    const reply = replies.shift() ?? kept(0);
    if (reply === "lost") return Promise.reject(new TypeError("Failed to fetch"));
    return Promise.resolve(
      new Response(JSON.stringify(reply.body ?? {}), { status: reply.status }),
    );
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const events = () => {
  const refused: string[] = [];
  const waiting: number[] = [];
  const all: SenderEvents = {
    onWaiting: (pieces) => waiting.push(pieces),
    onRefused: (message) => refused.push(message),
    onKept: () => undefined,
  };
  return { all, refused, waiting };
};
const piece = () => new ArrayBuffer(16);

it("sends each piece once, in order, and says how many wait", async () => {
  const { all, waiting } = events();
  const sender = new SoundSender("talk", "me", 7, all);
  for (let at = 0; at < 3; at += 1) expect(sender.add(piece())).toBe(true);
  expect(await sender.drained()).toBe(true);
  expect(sent).toEqual(["7?source=me", "8?source=me", "9?source=me"]);
  expect(waiting).toEqual([1, 2, 3, 2, 1, 0]);
});

it.each<[string, Reply]>([
  ["a lost connection", "lost"],
  ["a server that restarts", { status: 503 }],
  ["a proxy's page", { status: 502, body: "<html>" }],
  ["sound that comes too fast", { status: 429, body: { code: "too_fast" } }],
  ["a stale token", { status: 419 }],
])("sends a piece again after %s", async (_, reply) => {
  const { all, refused } = events();
  replies = [reply, reply, kept(1), kept(2)];
  const sender = new SoundSender("talk", "me", 0, all);
  sender.add(piece());
  sender.add(piece());
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent.map((url) => url[0])).toEqual(["0", "0", "0", "1"]);
  expect(refused).toEqual([]);
});

it("stops when the server takes no more, and says why", async () => {
  const { all, refused } = events();
  replies = [
    { status: 409, body: { code: "other_source", message: "Another page records this." } },
  ];
  const sender = new SoundSender("talk", "me", 0, all);
  sender.add(piece());
  sender.add(piece());
  expect(await sender.drained()).toBe(false);
  expect(sent).toHaveLength(1);
  expect(refused).toEqual(["Another page records this."]);
  expect(sender.add(piece())).toBe(false);
});

it("holds an hour of sound while the connection is away, and no more", () => {
  const { all } = events();
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  const sender = new SoundSender("talk", "me", 0, all);
  for (let at = 0; at < MOST_WAITING; at += 1) expect(sender.add(piece())).toBe(true);
  expect(sender.add(piece())).toBe(false);
  sender.stop();
});
