import { expect, test } from "vitest";
import { withLines } from "./watching";

const line = (id: string, start_ms: number, text: string) => ({
  id,
  start_ms,
  end_ms: start_ms + 1_000,
  text,
});

test("lines that changed take the place of what they were, and new ones their place in time", () => {
  const held = [line("a", 0, "uno"), line("b", 2_000, "dos")];
  const now = withLines(held, [line("b", 2_000, "DOS"), line("c", 1_000, "y")]);
  expect(now.map(({ text }) => text)).toEqual(["uno", "y", "DOS"]);
  expect(withLines(held, [])).toBe(held);
});
