// @vitest-environment jsdom
import { beforeEach, expect, it } from "vitest";
import type { ReviewLine } from "./data";
import { draftOf, draftsOf, forgetDrafts, keepDraft } from "./drafts";
import { lineAt } from "./lineAt";

const line = (id: string, start_ms: number, end_ms: number): ReviewLine => ({
  id,
  start_ms,
  end_ms,
  text: id,
  speaker: null,
  original: null,
  locked: false,
  revision: 1,
});
const LINES = [line("a", 0, 1_000), line("b", 1_000, 2_000), line("c", 3_000, 4_000)];

beforeEach(() => sessionStorage.clear());

it.each([
  [0, "a"],
  [999, "a"],
  [1_000, "b"],
  [2_000, undefined],
  [2_999, undefined],
  [3_500, "c"],
  [4_000, undefined],
])("at %i ms the line is %s", (ms, id) => {
  expect(lineAt(LINES, ms)?.id).toBe(id);
  expect(lineAt([], ms)).toBeUndefined();
});

it("keeps what is typed into each line of each link by itself", () => {
  keepDraft("one", "a", "Typed");
  keepDraft("one", "b", "");
  keepDraft("two", "a", "Elsewhere");
  expect([draftOf("one", "a"), draftOf("one", "b"), draftOf("two", "a")]).toEqual([
    "Typed",
    "",
    "Elsewhere",
  ]);
  expect(draftsOf("one")).toEqual(["Typed", ""]);
  keepDraft("one", "a", undefined);
  expect([draftOf("one", "a"), draftOf("one", "b")]).toEqual([undefined, ""]);
  forgetDrafts("one");
  expect([draftOf("one", "b"), draftOf("two", "a")]).toEqual([undefined, "Elsewhere"]);
});

it("takes what is no draft for none", () => {
  for (const held of ["not JSON", "null", "[1]", '{"b":1}']) {
    sessionStorage.setItem("sagascript.review.one", held);
    expect([draftOf("one", "a"), draftOf("one", "b")]).toEqual([undefined, undefined]);
  }
});
