import { describe, expect, it } from "vitest";
import { newestQuery, PER_PAGE } from "../../../domain/files/data";
import { FIRST, isNarrowed, queryOf, readSearch, writeSearch } from "./fileSearch";

describe("a search in the address", () => {
  it.each([
    "",
    "q=fundur&page=3",
    "filter=stopped&sort=name",
    "q=100%25+%26",
    "tag=abc&tag=none&language=is-IS&team=mine",
  ])("%s", (text) => {
    const search = readSearch(new URLSearchParams(text));
    expect(readSearch(writeSearch(search))).toEqual(search);
  });

  it("falls back where the address makes no sense", () => {
    const search = readSearch(new URLSearchParams("page=-2&sort=id&filter=x"));
    expect(writeSearch(search).toString()).toBe("");
    expect(isNarrowed(search)).toBe(false);
  });

  it("becomes the server's query", () => {
    const search = readSearch(new URLSearchParams("tag=a&filter=stopped&sort=name&team=mine"));
    expect(queryOf(search, undefined)).toEqual({
      status: ["failed", "abandoned"],
      sort: "name",
      tag: ["a"],
      language: [],
      team: "mine",
      per_page: PER_PAGE,
    });
    expect(isNarrowed(search)).toBe(true);
  });

  it.each([
    ["", "desk", "desk"],
    ["", "mine", "mine"],
    ["", undefined, undefined],
    ["all", "desk", undefined],
    ["mine", "desk", "mine"],
    ["other", "mine", "other"],
  ])("of workspace %j, where one works in %s, asks for %s", (team, workspace, wanted) => {
    const search = readSearch(new URLSearchParams(team === "" ? "" : { team }));
    expect(queryOf(search, workspace).team).toBe(wanted);
    expect(isNarrowed(search)).toBe(team !== "");
  });

  it("shares its response with all that ask for the newest files, workspace by workspace", () => {
    const asked = ["desk", "mine", undefined].map((workspace) => {
      const key = JSON.stringify(queryOf(FIRST, workspace));
      expect(key).toBe(JSON.stringify(newestQuery(workspace)));
      return key;
    });
    expect(new Set(asked).size).toBe(3);
  });
});
