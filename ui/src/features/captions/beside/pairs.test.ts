import { describe, expect, it } from "vitest";
import { line } from "../../../domain/captions/store/table.testing";
import type { Line } from "../../../domain/captions/types";
import { gapCounter, pairUp, type Item } from "./pairs";

const translated = (id: string, start_ms: number, ...ids: string[]): Line => ({
  ...line(id, start_ms, id),
  source: {
    ids,
    text: "",
    now: "",
    stale: false,
    by: "model",
    flags: [],
    log_probability: null,
  },
});

const SOURCES = ["a", "b", "c", "d"].map((id, index) => line(id, index * 1_000, id));

const drawn = (items: Item[]) =>
  items.map((item) =>
    item.kind === "gap"
      ? `${item.source.id} | -`
      : `${item.continues ? "^" : item.sources.map(({ id }) => id).join("+") || "-"} | ${item.line.id}`,
  );

describe("two tracks side by side", () => {
  it("stand line by line", () => {
    const lines = [
      translated("A", 0, "a"),
      translated("B", 1_000, "b"),
      translated("C", 2_000, "c"),
      translated("D", 3_000, "d"),
    ];
    const { items, itemOf } = pairUp(lines, SOURCES);
    expect(drawn(items)).toEqual(["a | A", "b | B", "c | C", "d | D"]);
    expect(itemOf).toEqual([0, 1, 2, 3]);
    expect(gapCounter(SOURCES)(lines)).toBe(0);
  });

  it("show a line that spans several source lines once, and several lines of one source line", () => {
    const lines = [
      translated("A", 0, "a", "b"),
      translated("C1", 2_000, "c"),
      translated("C2", 2_500, "c"),
    ];
    const { items, itemOf } = pairUp(lines, SOURCES);
    expect(drawn(items)).toEqual(["a+b | A", "c | C1", "^ | C2", "d | -"]);
    expect(itemOf).toEqual([0, 1, 2]);
    expect(gapCounter(SOURCES)(lines)).toBe(1);
  });

  it("keep lines that translate nothing at their time", () => {
    const own = line("own", 1_500, "own");
    const gone = translated("gone", 3_500, "x");
    const { items } = pairUp([translated("A", 0, "a"), own, gone], SOURCES);
    expect(drawn(items)).toEqual(["a | A", "b | -", "- | own", "c | -", "d | -", "- | gone"]);
  });

  it("show every source line once, also when the links are out of order", () => {
    const lines = [translated("C", 0, "c"), translated("A", 1_000, "a", "b")];
    expect(drawn(pairUp(lines, SOURCES).items)).toEqual(["c | C", "a+b | A", "d | -"]);
  });

  it("keep the items of unchanged lines", () => {
    const lines = SOURCES.map(({ id, start_ms }) => translated(id.toUpperCase(), start_ms, id));
    const before = pairUp(lines, SOURCES);
    const edited = lines.map((one, index) => (index === 1 ? { ...one, text: "new" } : one));
    const after = pairUp(edited, SOURCES, before);
    expect(after.items.map((item, index) => item === before.items[index])).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it("pair 5,000 lines with 5,000", () => {
    const sources = Array.from({ length: 5_000 }, (_, n) => line(`s${n}`, n * 1_000, "one"));
    const lines = sources.map(({ id, start_ms }) => translated(`t${id}`, start_ms, id));
    expect(pairUp(lines, sources).items).toHaveLength(5_000);
  });
});
