import { expect, it } from "vitest";
import type { View } from "../../../domain/captions/store/state";
import { linesOf, windowAt } from "./lineWindow";

const lines = Array.from({ length: 200 }, (_, at) => ({
  id: `l${at}`,
  start_ms: at * 1_000,
  end_ms: at * 1_000 + 900,
  text: `line ${at}`,
  words: [],
  speaker: null,
})) as unknown as View["captions"]["lines"];

it("holds a window until the playhead comes near its end", () => {
  const first = windowAt(lines, 0);
  expect(first).toEqual({ from: 0, to: 50 });
  expect(windowAt(lines, 30_500, first)).toBe(first);
  expect(windowAt(lines, 43_500, first)).toEqual({ from: 33, to: 93 });
  expect(windowAt(lines, 199_000)).toEqual({ from: 189, to: 200 });
  expect(windowAt([], 5_000)).toEqual({ from: 0, to: 0 });
});

it("draws what is typed, also before it is saved", () => {
  const typed = new Map([["l1", { raw: "line 1 ", clean: "line 1" }]]);
  const view = { captions: { lines }, typed } as unknown as View;
  expect(linesOf(view, { from: 1, to: 3 }).map(({ text }) => text)).toEqual(["line 1 ", "line 2"]);
});
