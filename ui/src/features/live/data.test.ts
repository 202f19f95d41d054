import { expect, it } from "vitest";
import { outlookOf, paragraphsOf, type LiveWord } from "./data";

const words = (text: string, startMs: number): LiveWord[] =>
  text.split(" ").map((word, at) => ({
    text: word,
    start_ms: startMs + at * 400,
    end_ms: startMs + at * 400 + 350,
  }));

it("begins a paragraph after a long pause", () => {
  const said = [
    ...words("good morning everybody", 0),
    ...words("we begin", 2_000),
    ...words("now", 5_000),
  ];
  expect(paragraphsOf(said)).toEqual([
    { start_ms: 0, text: "good morning everybody we begin" },
    { start_ms: 5_000, text: "now" },
  ]);
});

it("begins one at a breath in a text that is long already", () => {
  const long = words("word ".repeat(80).trim(), 0);
  const next = words("and on", 80 * 400 + 300);
  expect(paragraphsOf([...long, ...next]).map(({ text }) => text)).toEqual([
    "word ".repeat(80).trim(),
    "and on",
  ]);
  expect(paragraphsOf([...words("short", 0), ...words("one", 700)])).toHaveLength(1);
});

it("has none before anybody speaks", () => expect(paragraphsOf([])).toEqual([]));

it("shows no outlook that was made before the words became final", () => {
  expect(outlookOf({ outlook: "on the wall", outlookAfter: 3 }, 3)).toBe("on the wall");
  expect(outlookOf({ outlook: "bottles stood on the wall", outlookAfter: 2 }, 3)).toBe("");
  expect(outlookOf({ outlook: "ahead", outlookAfter: 4 }, 3)).toBe("ahead");
});
