import { expect, it } from "vitest";
import { differences } from "./differences";

const drawn = (old: string, now: string) =>
  differences(old, now)
    .map(({ kind, text }) => (kind === "same" ? text : `${kind === "gone" ? "-" : "+"}[${text}]`))
    .join("");

it.each([
  ["The harbour is closed.", "The harbour is closed.", "The harbour is closed."],
  ["The harbour is closed.", "The harbour is open.", "The harbour is -[closed]+[open]."],
  ["one two", "one", "one-[ two]"],
  ["", "new", "+[new]"],
  ["two\nrows  here", "two rows here", "two-[\n]+[ ]rows here"],
  ["港は閉まっています", "港は開いています", undefined],
])("%j to %j", (old, now, parts) => {
  const found = differences(old, now);
  const kept = (gone: string) =>
    found
      .filter(({ kind }) => kind !== gone)
      .map(({ text }) => text)
      .join("");
  expect(kept("new")).toBe(old.replace("  ", " "));
  expect(kept("gone")).toBe(now);
  if (parts !== undefined) expect(drawn(old, now)).toBe(parts);
});

it("compares very long texts as wholes", () => {
  const long = "word ".repeat(500).trim();
  expect(differences(long, "short").map(({ kind }) => kind)).toEqual(["gone", "new"]);
});
