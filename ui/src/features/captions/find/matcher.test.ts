import { describe, expect, it } from "vitest";
import { makeMatcher, replaced, type SearchTerms } from "./matcher";

const PLAIN: SearchTerms = { query: "", matchCase: false, wholeWord: false, isPattern: false };
const spots = async (terms: Partial<SearchTerms>, text: string) =>
  ((await makeMatcher({ ...PLAIN, ...terms })) ?? expect.fail("no matcher"))(text).map(
    ({ start, end }) => text.slice(start, end),
  );

describe("search", () => {
  it.each<[Partial<SearchTerms>, string, string[]]>([
    [{ query: "jón" }, "Jón og JÓN.", ["Jón", "JÓN"]],
    [{ query: "jón", matchCase: true }, "Jón og jón.", ["jón"]],
    [{ query: "is", wholeWord: true }, "This is Ísis, is_not", ["is"]],
    [{ query: "þ", wholeWord: true }, "þú þ", ["þ"]],
    [{ query: "a.c(" }, "abc a.c(", ["a.c("]],
    [{ query: "a.c", isPattern: true }, "abc 😀 a.c", ["abc", "a.c"]],
    [{ query: "\\d+", isPattern: true, wholeWord: true }, "12 a3 45.", ["12", "45"]],
    [{ query: "x*", isPattern: true }, "axxb", ["xx"]],
  ])("%j in %j", async (terms, text, expected) => {
    expect(await spots(terms, text)).toEqual(expected);
  });

  it("finishes patterns that make backtracking engines run for years", async () => {
    expect(await spots({ query: "(a+)+$", isPattern: true }, `${"a".repeat(5_000)}b`)).toEqual([]);
  });

  it("explains a wrong pattern", async () => {
    await expect(makeMatcher({ ...PLAIN, query: "(", isPattern: true })).rejects.toThrow(
      /This pattern cannot be used/,
    );
  });

  it("replaces with groups in patterns, and literally otherwise", async () => {
    const pattern = { ...PLAIN, query: "(\\w+) (\\w+)", isPattern: true };
    const find = (await makeMatcher(pattern)) ?? expect.fail("no matcher");
    expect(replaced("one two", find("one two"), "$2 $$ $1", true)).toBe("two $ one");
    const plain = (await makeMatcher({ ...PLAIN, query: "o" })) ?? expect.fail("no matcher");
    expect(replaced("foo", plain("foo"), "$0", false)).toBe("f$0$0");
  });
});
