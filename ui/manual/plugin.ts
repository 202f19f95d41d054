import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { posix, resolve } from "node:path";
import type { Plugin } from "vite";
import { DOCUMENTS, GROUPS, addressOf, resolveLink, type ManualDocument } from "./documents.ts";
import { renderMarkdown, type Page } from "./markdown.ts";

const ROOT = resolve(import.meta.dirname, "../..");
/** Built like the other pages, so that it names its script and style sheet; each page of the manual is made from it. */
const SHELL = "manual.html";
const NAME = "Sagascript manual";
const MISSING: Page = {
  title: "There is no such page",
  html: "<h1>There is no such page</h1><p>Choose one from the list of pages, or search.</p>",
  headings: [],
  sections: [],
};

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

const linkTo = (document: ManualDocument, current: ManualDocument | null) =>
  `<li><a href="${addressOf(document)}"${document === current ? ' aria-current="page"' : ""}>${escaped(document.title)}</a></li>`;

const navigation = (current: ManualDocument | null) =>
  [
    ...Object.entries(GROUPS).map(
      ([group, documents]) =>
        `<h2>${group}</h2><ul>${documents.map((one) => linkTo(one, current)).join("")}</ul>`,
    ),
    '<h2>API</h2><ul><li><a href="/api/v1/docs">REST v1</a></li><li><a href="/api/docs">All routes</a></li></ul>',
  ].join("");

const contents = ({ headings }: Page) => {
  const items = headings
    .filter(({ level }) => level === 2 || level === 3)
    .map(
      ({ anchor, level, label }) =>
        `<li data-level="${level}"><a href="#${anchor}">${label}</a></li>`,
    );
  return items.length < 2
    ? ""
    : `<nav aria-label="On this page"><h2>On this page</h2><ul>${items.join("")}</ul></nav>`;
};

/** Build README, ARCHITECTURE, CONTRIBUTING, the change log and `docs/` into pages under /docs, with an index for the search. */
export function manual(): Plugin {
  return {
    name: "manual",
    apply: (_config, { command, isSsrBuild }) => command === "build" && isSsrBuild !== true,
    enforce: "post",
    generateBundle(_options, bundle) {
      const shell = bundle[SHELL];
      if (shell?.type !== "asset") return;
      const template = String(shell.source);
      delete bundle["manual.html"];
      const images = new Map<string, string>();
      const emitImage = (from: ManualDocument, href: string): string => {
        const file = posix.normalize(posix.join(posix.dirname(from.file), href));
        const known = images.get(file);
        if (known !== undefined) return known;
        const source = readFileSync(`${ROOT}/${file}`);
        const reference = this.emitFile({ type: "asset", name: posix.basename(file), source });
        const address = `/${this.getFileName(reference)}`;
        images.set(file, address);
        return address;
      };
      const sections: object[] = [];
      const pages = DOCUMENTS.map((document) => {
        const page = renderMarkdown(readFileSync(`${ROOT}/${document.file}`, "utf8"), {
          link: (href) => resolveLink(document, href, ROOT),
          image: (href) => emitImage(document, href),
        });
        for (const { anchor, heading, text } of page.sections)
          sections.push({
            page: document.title,
            address: `${addressOf(document)}#${anchor}`,
            heading,
            text,
          });
        return { document, page };
      });
      const source = JSON.stringify(sections);
      const index = `assets/manual-${createHash("sha256").update(source).digest("hex").slice(0, 8)}.json`;
      this.emitFile({ type: "asset", fileName: index, source });
      const emitPage = (
        fileName: string,
        title: string,
        current: ManualDocument | null,
        page: Page,
      ) =>
        this.emitFile({
          type: "asset",
          fileName,
          source: template
            .replace("<!--title-->", () => escaped(title))
            .replace("<!--index-->", () => `/${index}`)
            .replace("<!--navigation-->", () => navigation(current))
            .replace("<!--contents-->", () => contents(page))
            .replace("<!--page-->", () => page.html),
        });
      for (const { document, page } of pages) {
        const title = document.name === "" ? NAME : `${page.title} · ${NAME}`;
        emitPage(`docs/${document.name || "index"}.html`, title, document, page);
      }
      emitPage("docs/404.html", `No such page · ${NAME}`, null, MISSING);
    },
  };
}
