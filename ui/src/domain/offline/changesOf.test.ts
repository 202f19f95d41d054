import { describe, expect, it } from "vitest";
import { changesOf } from "./journals";

describe("what is written of a long journal", () => {
  const entry = (name: string) => ({
    command: { id: name, action: "Delete" as const, line: name },
    sent: false,
  });
  const [a, b, c, d] = [entry("a"), entry("b"), entry("c"), entry("d")];
  const held = [a, b, c].map((one, order) => ({ ...one, order }));

  it.each([
    ["a new command", [a, b, c, d], [3], []],
    ["nothing new", [a, b, c], [], []],
    ["the first one sent", [{ ...a, sent: true }, b, c], [0], []],
    ["the first one saved", [b, c], [], [0]],
    ["one in the middle dropped", [a, c], [3], [1, 2]],
    ["all dropped", [], [], [0, 1, 2]],
    ["another queue", [d], [3], [0, 1, 2]],
  ])("is little: %s", (_, queue, put, gone) => {
    const changes = changesOf(held, queue as typeof held, 3);
    expect(changes.put.map(({ order }) => order)).toEqual(put);
    expect([...changes.gone].sort()).toEqual(gone);
    const orders = changes.written.map(({ order }) => order);
    expect(orders).toEqual([...orders].sort((one, two) => one - two));
  });
});
