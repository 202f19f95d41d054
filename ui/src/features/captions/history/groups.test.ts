import { expect, it } from "vitest";
import type { Version } from "./data";
import { groupsOf } from "./groups";
import { titleOf } from "./words";

const version = (number: number, action: string, more: Partial<Version> = {}): Version => ({
  number,
  at: "2026-01-01T00:00:00Z",
  by: "Ada",
  is_you: true,
  is_guest: false,
  action,
  label: null,
  is_undone: false,
  follows_source: false,
  name: null,
  is_automatic: false,
  is_readable: true,
  step_of: null,
  change: null,
  ...more,
});

it("joins undos that follow each other, by one person and without a name", () => {
  const all = [
    version(9, "Undo"),
    version(8, "Undo"),
    version(7, "Undo"),
    version(6, "Undo", { name: "Sent" }),
    version(5, "Undo"),
    version(4, "Undo", { by: "Bob" }),
    version(3, "Redo"),
    version(2, "Edit"),
    version(1, "Edit"),
  ];
  const numbers = groupsOf(all, 9).map((group) => group.map(({ number }) => number));
  // The present version stands alone: the others are what somebody may go back to.
  expect(numbers).toEqual([[9], [8, 7], [6], [5], [4], [3], [2, 1]]);
});

it("joins what one person changed within a minute", () => {
  const at = (time: string) => ({ at: `2026-01-01T${time}Z` });
  const all = [
    version(9, "Edit", at("10:05:40")),
    version(8, "Split", at("10:05:30")),
    version(7, "Edit", at("10:05:01")),
    version(6, "Edit", at("10:04:59")),
    version(5, "Edit", { ...at("10:04:30"), by: "Bob" }),
    version(4, "Undo", at("10:04:10")),
    version(3, "Merge", at("10:04:05")),
    version(2, "Edit", { ...at("10:04:04"), name: "Sent" }),
    version(1, "Edit", at("10:04:03")),
  ];
  const numbers = groupsOf(all, 10).map((group) => group.map(({ number }) => number));
  expect(numbers).toEqual([[9, 8, 7], [6], [5], [4], [3], [2], [1]]);
});

it("says what an undo took back", () => {
  const split = version(1, "Split");
  expect(titleOf(version(2, "Undo", { step_of: 1 }), split)).toBe("Undid: Split a line");
  expect(titleOf(version(3, "Redo", { step_of: 1 }), split)).toBe("Redid: Split a line");
  expect(titleOf(version(2, "Undo"))).toBe("Undid a change");
});
