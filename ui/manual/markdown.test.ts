import { resolve } from "node:path";
import { expect, test } from "vitest";
import { resolveLink, type ManualDocument } from "./documents";
import { renderMarkdown } from "./markdown";

const ROOT = resolve(import.meta.dirname, "../..");
const document = (file: string): ManualDocument => ({ file, name: "", title: "" });
const readme = document("README.md");
const settings = document("docs/settings.md");
const places = { link: (href: string) => href, image: (href: string) => href };

test("headings get the anchors that links on GitHub use, and repeated ones a number", () => {
  const { headings, html } = renderMarkdown(
    "# Top\n\n## `up` and *you*\n\n## Same\n\n## Same\n",
    places,
  );
  expect(headings.map(({ anchor }) => anchor)).toEqual(["top", "up-and-you", "same", "same-1"]);
  expect(html).toContain('<h2 id="up-and-you">');
});

test("the search gets each heading with the text below it, without marks", () => {
  const { sections } = renderMarkdown(
    "# Top\n\nFirst **words** & `a < b`.\n\n## Next\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    places,
  );
  expect(sections).toEqual([
    { anchor: "top", heading: "Top", text: "First words & a < b ." },
    { anchor: "next", heading: "Next", text: "a b 1 2" },
  ]);
});

test("links between documents lead to their pages, those to sources are no links, broken ones stop the build", () => {
  expect(resolveLink(readme, "docs/settings.md#mail", ROOT)).toBe("/docs/settings#mail");
  expect(resolveLink(settings, "../README.md", ROOT)).toBe("/docs");
  expect(resolveLink(settings, "models.md", ROOT)).toBe("/docs/models");
  expect(resolveLink(readme, "api/main.py", ROOT)).toBeNull();
  expect(resolveLink(readme, "#install", ROOT)).toBe("#install");
  expect(() => resolveLink(readme, "docs/nowhere.md", ROOT)).toThrow("docs/nowhere.md");
});
