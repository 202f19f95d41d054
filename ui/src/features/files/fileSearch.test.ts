import { describe, expect, it } from "vitest";
import { PER_PAGE, queryOf, readSearch, writeSearch } from "./fileSearch";

describe("a search in the address", () => {
  it.each(["", "q=fundur&page=3", "filter=stopped&sort=name", "q=100%25+%26"])("%s", (text) => {
    const search = readSearch(new URLSearchParams(text));
    expect(readSearch(new URLSearchParams(writeSearch(search)))).toEqual(search);
  });

  it("falls back where the address makes no sense", () => {
    const search = readSearch(new URLSearchParams("page=-2&sort=id&filter=x"));
    expect(writeSearch(search)).toEqual({});
  });

  it("becomes the server's query", () => {
    const search = readSearch(new URLSearchParams("q=a&filter=stopped&sort=name&page=2"));
    expect(queryOf(search)).toEqual({
      q: "a",
      status: ["failed", "abandoned"],
      sort: "name",
      page: 2,
      per_page: PER_PAGE,
    });
  });
});
