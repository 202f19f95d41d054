// @vitest-environment jsdom
import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { eventually } from "../../platform/eventually.testing";
import { useWatched, withLines, type WatchedLine } from "./watching";

afterEach(() => {
  vi.unstubAllGlobals();
  Events.open = undefined;
});

const line = (id: string, start_ms: number, text: string) => ({
  id,
  start_ms,
  end_ms: start_ms + 1_000,
  text,
});

class Events extends EventTarget {
  static readonly CLOSED = 2;
  static open: Events | undefined;
  readyState = 1;
  constructor() {
    super();
    Events.open = this;
  }
  close() {}
  tell(type: string, data: object) {
    act(() => void this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) })));
  }
}

/** A server with these lines of the translation. */
function serve(lines: { held: WatchedLine[]; next: number }) {
  const watch = { name: "A talk", is_over: false, translations: ["es"], words: [], next: 0 };
  vi.stubGlobal("EventSource", Events);
  vi.stubGlobal("fetch", (input: Request) => {
    const { held, next } = lines;
    const isOfLines = new URL(input.url).pathname.endsWith("/lines/es");
    const data = isOfLines ? { lines: held, next, count: held.length } : watch;
    return Promise.resolve(Response.json({ data }));
  });
}

const textsOf = (lines: readonly WatchedLine[]) => lines.map(({ text }) => text);

test("lines that changed take the place of what they were, and new ones their place in time", () => {
  const held = [line("a", 0, "uno"), line("b", 2_000, "dos")];
  const now = withLines(held, [line("b", 2_000, "DOS"), line("c", 1_000, "y")]);
  expect(textsOf(now)).toEqual(["uno", "y", "DOS"]);
  expect(withLines(held, [])).toBe(held);
});

test("a line that two became one leaves the page, and an older answer changes nothing", async () => {
  const lines = { held: [line("a", 0, "uno"), line("b", 2_000, "dos")], next: 2 };
  serve(lines);
  const { result } = renderHook(() => useWatched("token", "es"));
  await eventually(() => expect(Events.open).toBeDefined());
  Events.open?.tell("open", {});
  await eventually(() => expect(textsOf(result.current.lines)).toEqual(["uno", "dos"]));
  lines.held = [line("a", 0, "uno dos")];
  lines.next = 3;
  Events.open?.tell("lines", { language: "es", lines: lines.held, next: 3, count: 1 });
  await eventually(() => expect(textsOf(result.current.lines)).toEqual(["uno dos"]));
  Events.open?.tell("lines", {
    language: "es",
    lines: [line("b", 2_000, "dos")],
    next: 2,
    count: 2,
  });
  expect(textsOf(result.current.lines)).toEqual(["uno dos"]);
});

test("readers learn into which languages it is translated now", async () => {
  serve({ held: [], next: 0 });
  const { result } = renderHook(() => useWatched("token", undefined));
  await eventually(() => expect(result.current.watch?.translations).toEqual(["es"]));
  await eventually(() => expect(Events.open).toBeDefined());
  Events.open?.tell("languages", { translations: ["es", "de"] });
  expect(result.current.watch?.translations).toEqual(["es", "de"]);
});
