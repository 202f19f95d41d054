import { expect, it } from "vitest";
import { withDraft } from "./calls";
import { line } from "./store/table.testing";
import type { Captions } from "./types";

const draft = (first_line: number, starts: number[], is_live = true) =>
  ({
    first_line,
    is_live,
    lines: starts.map((start) => line(`draft-${start}`, start, "")),
  }) as Captions;
const starts = (captions: Captions) => captions.lines.map((one) => one.start_ms);

it("puts what is new of a draft behind what is held", () => {
  const held = draft(0, [0, 1_000, 2_000]);
  const joined = withDraft(held, draft(2, [2_500, 3_000]));
  expect(starts(joined)).toEqual([0, 1_000, 2_500, 3_000]);
  expect(joined.lines[0]).toBe(held.lines[0]);
  expect(starts(withDraft(joined, draft(0, [7_000])))).toEqual([7_000]);
  expect(starts(withDraft(joined, draft(0, [8_000], false)))).toEqual([8_000]);
  expect(starts(withDraft(undefined, draft(0, [9_000])))).toEqual([9_000]);
});
