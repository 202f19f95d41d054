// @vitest-environment jsdom
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { eventually } from "../../../platform/eventually.testing";
import type * as Journals from "../../../domain/offline/journals";
import { Table } from "../../../domain/captions/store/table.testing";
import type { CaptionEdit } from "../../../domain/captions/types";
import { useEditorTrack, type EditorTrack } from "./useEditorTrack";

/** How a test opens journals; undefined for the browser's own. */
let openLate: (() => Promise<Journals.OpenJournal>) | undefined;
vi.mock("../../../domain/offline/journals", async (load) => {
  const own = await load<typeof Journals>();
  const openJournal: typeof own.openJournal = (...track) =>
    openLate?.() ?? own.openJournal(...track);
  return { ...own, openJournal };
});

let table: Table;
/** Calls that wait for the network; each continues when it is called. */
let held: (() => void)[] | undefined;
let fetched: string[];

const answer = (data: unknown) =>
  new Response(JSON.stringify({ data }), { headers: { "Content-Type": "application/json" } });

async function server(request: Request): Promise<Response> {
  if (request.method !== "POST") {
    fetched.push(request.url);
    return answer(await table.load());
  }
  const edit = (await request.json()) as CaptionEdit;
  if (held !== undefined) await new Promise<void>((go) => held?.push(go));
  return answer(await table.save(edit));
}

beforeEach(() => {
  table = new Table();
  held = undefined;
  openLate = undefined;
  fetched = [];
  document.cookie = "XSRF-TOKEN=token";
  vi.stubGlobal("fetch", server);
});
afterEach(() => vi.unstubAllGlobals());

const storeOf = (track: EditorTrack) => ("store" in track ? track.store : undefined);

const cache = new Map();
const wrapper = ({ children }: { children: ReactNode }) => (
  <SWRConfig value={{ provider: () => cache }}>{children}</SWRConfig>
);
const open = async () => {
  const page = renderHook(() => useEditorTrack({ slug: "talk" }), { wrapper });
  const store = await waitFor(() => storeOf(page.result.current) ?? expect.fail("no store yet"));
  return { store, leave: page.unmount };
};

it("goes on with the store that still has something to send, and begins anew after it", async () => {
  const first = await open();
  held = [];
  await act(async () => {
    first.store.write("a", "mine");
    first.store.flush();
    await eventually(() => expect(held).toHaveLength(1));
  });
  first.leave();
  const second = await open();
  expect(second.store).toBe(first.store);
  await act(async () => {
    for (const go of held ?? []) go();
    held = undefined;
    expect(await second.store.settled()).toBe(true);
  });
  expect(table.texts[0]).toBe("mine");
  expect(table.sent).toHaveLength(1);
  second.leave();
  await second.store.settled();
  const third = await open();
  expect(third.store).not.toBe(first.store);
  expect(third.store.get().captions.lines[0]?.text).toBe("mine");
});

it("shows the first lines, which nothing changes, until all are here", async () => {
  const { lines: some, ...rest } = await table.load();
  const lines = Array.from({ length: 100 }, (_, at) => ({
    ...some[0],
    id: `line-${at}`,
    start_ms: at * 1_000,
    end_ms: at * 1_000 + 900,
  }));
  let send: () => void = () => undefined;
  const rests = new Promise<void>((go) => (send = go));
  vi.stubGlobal("fetch", async ({ url, method }: Request) => {
    if (url.includes("most=")) return answer({ ...rest, lines: lines.slice(0, 60) });
    if (method === "POST") return new Promise(() => undefined);
    await rests;
    return answer({ ...rest, lines });
  });
  const page = renderHook(() => useEditorTrack({ slug: "long" }, 0), { wrapper });
  const store = await waitFor(() => storeOf(page.result.current) ?? expect.fail("no store yet"));
  expect(page.result.current.kind).toBe("part");
  act(() => store.write("line-1", "mine"));
  expect(store.get().captions.lines.map(({ text }) => text)).toEqual(Array(60).fill(some[0]?.text));
  await act(async () => send());
  await waitFor(() => expect(page.result.current.kind).toBe("open"));
  expect(storeOf(page.result.current)).toBe(store);
  act(() => store.write("line-99", "mine"));
  expect(store.get().captions.lines.at(-1)?.text).toBe("mine");
});

it("shows the first lines before the journal is open, and all with what another page left in it", async () => {
  const { lines: some, ...rest } = await table.load();
  const lines = Array.from({ length: 100 }, (_, at) => ({
    ...some[0],
    id: `line-${at}`,
    start_ms: at * 1_000,
    end_ms: at * 1_000 + 900,
  }));
  let send: () => void = () => undefined;
  const rests = new Promise<void>((go) => (send = go));
  vi.stubGlobal("fetch", async ({ url, method }: Request) => {
    if (url.includes("most=")) return answer({ ...rest, lines: lines.slice(0, 60) });
    if (method === "POST") return new Promise(() => undefined);
    await rests;
    return answer({ ...rest, lines });
  });
  const command = { id: "one", action: "Edit", line: "line-1", content: "left" } as const;
  const texts = { "line-1": some[0]?.text ?? "" };
  const queue = [{ command, sent: false }];
  const left = [{ revision: rest.revision, texts, queue, conflicts: [], refused: [] }];
  let opens: () => void = () => undefined;
  const isOpen = new Promise<void>((go) => (opens = go));
  openLate = async () => {
    await isOpen;
    const [write, close, onLeft] = [() => undefined, () => undefined, () => undefined];
    return { read: () => left.shift(), write, close, onLeft, isOver: () => false };
  };
  const page = renderHook(() => useEditorTrack({ slug: "left" }, 0), { wrapper });
  const store = await waitFor(() => storeOf(page.result.current) ?? expect.fail("no store yet"));
  await act(async () => send());
  await act(() => eventually(() => expect(cache.get("captions/left")?.data).toBeDefined()));
  expect(page.result.current.kind).toBe("part");
  await act(async () => opens());
  await waitFor(() => expect(page.result.current.kind).toBe("open"));
  expect(store.get().captions.lines[1]?.text).toBe("left");
});

it("fetches a translation again after its original was edited, however soon", async () => {
  const page = renderHook(({ language }) => useEditorTrack({ slug: "talk", language }), {
    wrapper,
    initialProps: { language: "es" as string | undefined },
  });
  const spanish = () => fetched.filter((url) => url.includes("=es")).length;
  await waitFor(() => expect(page.result.current.kind).toBe("open"));
  const before = spanish();
  page.rerender({ language: undefined });
  await waitFor(() => expect(page.result.current.kind).toBe("open"));
  await act(async () => {
    const store = storeOf(page.result.current);
    store?.write("a", "changed");
    expect(await store?.settled()).toBe(true);
  });
  page.rerender({ language: "es" });
  await waitFor(() => expect(spanish()).toBe(before + 1));
});
