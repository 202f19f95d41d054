import { expect, test } from "vitest";
import { search, type Section } from "./search";

const section = (heading: string, text: string): Section => ({
  page: "Settings",
  address: `/docs/settings#${heading}`,
  heading,
  text,
});

const SECTIONS = [
  section("Storage", "Where uploads stand."),
  section("Uploads", "How large they may be, and Reykjavík."),
  section("Mail", "Nothing of the kind."),
];

test("a section with the word in its heading comes before one that has it in the text", () => {
  expect(search(SECTIONS, "uploads").map(({ heading }) => heading)).toEqual(["Uploads", "Storage"]);
});

test("every word has to be there, in any case and without accents", () => {
  expect(search(SECTIONS, "UPLOADS reykjavik").map(({ heading }) => heading)).toEqual(["Uploads"]);
  expect(search(SECTIONS, "uploads oslo")).toEqual([]);
  expect(search(SECTIONS, "  ")).toEqual([]);
});

test("the excerpt shows where the word stands in a long text", () => {
  const long = section("Long", `${"before ".repeat(60)}needle ${"after ".repeat(60)}`);
  const [hit] = search([long], "needle");
  expect(hit?.excerpt).toContain("needle");
  expect(hit?.excerpt.length).toBeLessThan(200);
});
