import { expect, it } from "vitest";
import type { FromWorker, ToWorker } from "./messages";
import { Spelling } from "./Spelling";
import { wordAtCaret, wordsOf } from "./words";

/** A check whose dictionary holds these words. */
function checkWith(...right: string[]) {
  const sent: ToWorker[] = [];
  let answer: (message: FromWorker) => void = () => undefined;
  const spelling = new Spelling((onMessage) => {
    answer = onMessage;
    return {
      terminate: () => undefined,
      postMessage: (message) => {
        sent.push(message);
        if (message.kind === "load") answer({ kind: "loaded" });
        if (message.kind === "check") {
          const wrong = message.words.filter((word) => !right.includes(word));
          answer({ kind: "checked", wrong, words: message.words });
        }
      },
    };
  });
  spelling.start("en");
  return { spelling, sent };
}

const wrongWords = async (spelling: Spelling, text: string) => {
  spelling.wrongIn(text);
  await Promise.resolve();
  return spelling.wrongIn(text).map(({ start, end }) => text.slice(start, end));
};

it("marks wrong words, and asks about each word once", async () => {
  const { spelling, sent } = checkWith("the", "harbour");
  expect(await wrongWords(spelling, "the harbuor, the harbour")).toEqual(["harbuor"]);
  await wrongWords(spelling, "harbuor the harbour");
  expect(sent.filter(({ kind }) => kind === "check")).toHaveLength(1);
});

it("loads further dictionaries when somebody adds one", () => {
  const { spelling, sent } = checkWith();
  spelling.start("en", ["is"]);
  spelling.start("en", ["is"]);
  const loaded = sent.filter(({ kind }) => kind === "load");
  expect(loaded).toEqual([
    { kind: "load", language: "en", also: [] },
    { kind: "load", language: "en", also: ["is"] },
  ]);
});

it("never marks names of the glossary, words people added, and words ignored", async () => {
  const { spelling } = checkWith("at");
  spelling.accept(["Húsavík harbour", "sko"]);
  spelling.ignore("xyz");
  expect(await wrongWords(spelling, "Húsavík’s sko at xyz harbour hvalr")).toEqual(["hvalr"]);
});

it("judges words, and neither numbers, addresses nor single letters", () => {
  const words = wordsOf("I wrote a-b to ada@example.com, x2 and www.ruv.is don’t U2");
  expect(words.map(({ word }) => word)).toEqual(["wrote", "a-b", "to", "and", "don’t"]);
  expect(wordAtCaret(words, 4)?.word).toBe("wrote");
  expect(wordAtCaret(words, 0)).toBeUndefined();
});
