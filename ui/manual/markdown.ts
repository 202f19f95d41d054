import { Marked, type Tokens } from "marked";

/** A heading with the text below it, as the search finds it. */
export interface Section {
  anchor: string;
  heading: string;
  text: string;
}

export interface Heading {
  anchor: string;
  level: number;
  /** As HTML. */
  label: string;
}

export interface Page {
  html: string;
  title: string;
  headings: Heading[];
  sections: Section[];
}

interface Places {
  /** The address of a link, or null where nothing is there to open. */
  link: (href: string) => string | null;
  image: (href: string) => string;
}

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** The text of HTML that we made. */
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => NAMED[name] ?? "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The anchor of a heading, as GitHub makes it, so that links in the files work there and here. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

/** Turns a Markdown file into a page with anchors, and into sections for the search. */
export function renderMarkdown(markdown: string, places: Places): Page {
  const headings: Heading[] = [];
  const seen = new Map<string, number>();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading): string {
        const label = this.parser.parseInline(tokens);
        const base = anchorOf(plain(label));
        const before = seen.get(base) ?? 0;
        seen.set(base, before + 1);
        const anchor = before === 0 ? base : `${base}-${before}`;
        headings.push({ anchor, level: depth, label });
        const sign = `<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${anchor}">${label}${depth === 1 ? "" : ` ${sign}`}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const label = this.parser.parseInline(tokens);
        const address = places.link(href);
        return address === null ? label : `<a href="${address}">${label}</a>`;
      },
      image({ href, text }: Tokens.Image): string {
        return `<img src="${places.image(href)}" alt="${text}" loading="lazy" />`;
      },
    },
  });
  const body = marked.parse(markdown, { async: false });
  // Wide tables scroll by themselves, by keyboard too.
  const html = body
    .replaceAll(
      "<table>",
      '<div class="wide" tabindex="0" role="region" aria-label="Table"><table>',
    )
    .replaceAll("</table>", "</table></div>")
    .replaceAll("<pre>", '<pre tabindex="0">');
  const [first] = headings;
  return { html, title: plain(first?.label ?? ""), headings, sections: sectionsOf(body, headings) };
}

function sectionsOf(html: string, headings: Heading[]): Section[] {
  const pieces = html.split(/<h[1-6] id="[^"]*">.*?<\/h[1-6]>/s).slice(1);
  return headings.map(({ anchor, label }, index) => ({
    anchor,
    heading: plain(label),
    text: plain(pieces[index] ?? ""),
  }));
}
