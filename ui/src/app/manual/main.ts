/** The search of the manual and its list of pages. Without this script the pages can still be read. */
import "@fontsource-variable/inter";
import "@fontsource-variable/newsreader";
import "../../platform/theme/tokens.css";
import "./manual.css";
import { search, wordsOf, folded, type Section } from "./search";

const element = <T extends HTMLElement>(id: string): T => document.getElementById(id) as T;
const input = element<HTMLInputElement>("search");
const results = element("results");
const found = element("found");
const hits = element<HTMLUListElement>("hits");

let index: Promise<Section[]> | undefined;

const sections = (): Promise<Section[]> =>
  (index ??= fetch(
    document.querySelector<HTMLMetaElement>("meta[name=manual-index]")?.content ?? "",
  )
    .then((answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.json() as Promise<Section[]>;
    })
    .catch((error: unknown) => {
      index = undefined;
      throw error;
    }));

/** The text with every found word in a `<mark>`. */
function marked(text: string, words: readonly string[]): (string | Node)[] {
  const low = folded(text);
  // Folding may change lengths; then nothing is marked rather than the wrong letters.
  if (low.length !== text.length) return [text];
  const parts: (string | Node)[] = [];
  let at = 0;
  while (at < text.length) {
    const places = words
      .map((word) => ({ word, place: low.indexOf(word, at) }))
      .filter(({ place }) => place >= 0)
      .sort((one, other) => one.place - other.place);
    const [next] = places;
    if (next === undefined) break;
    const mark = document.createElement("mark");
    mark.textContent = text.slice(next.place, next.place + next.word.length);
    parts.push(text.slice(at, next.place), mark);
    at = next.place + next.word.length;
  }
  parts.push(text.slice(at));
  return parts;
}

async function show(): Promise<void> {
  const query = input.value;
  const words = wordsOf(query);
  results.hidden = words.length === 0;
  if (words.length === 0) return;
  try {
    const matches = search(await sections(), query);
    if (input.value !== query) return;
    found.textContent = matches.length === 0 ? (found.dataset.none ?? "") : "";
    hits.replaceChildren(
      ...matches.map(({ page, address, heading, excerpt }) => {
        const link = document.createElement("a");
        link.href = address;
        const title = document.createElement("strong");
        title.append(...marked(heading, words));
        const place = document.createElement("span");
        place.textContent = page;
        const text = document.createElement("p");
        text.append(...marked(excerpt, words));
        link.append(title, place, text);
        const item = document.createElement("li");
        item.append(link);
        return item;
      }),
    );
  } catch {
    hits.replaceChildren();
    found.textContent = found.dataset.failed ?? "";
  }
}

const links = () => [...hits.querySelectorAll("a")];

/** Arrow keys move through input and results, Escape closes them. */
function onKey(event: KeyboardEvent): void {
  if (event.key === "Escape") {
    results.hidden = true;
    input.focus();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const stops: HTMLElement[] = [input, ...links()];
    const here = stops.indexOf(document.activeElement as HTMLElement);
    const next = stops[here + (event.key === "ArrowDown" ? 1 : -1)];
    if (next !== undefined) {
      event.preventDefault();
      next.focus();
    }
  } else if (event.key === "Enter" && event.target === input) {
    links()[0]?.click();
  }
}

input.addEventListener("input", () => void show());
input.addEventListener("focus", () => void show());
input.parentElement?.addEventListener("keydown", onKey);
hits.addEventListener("click", () => {
  results.hidden = true;
});
document.addEventListener("click", (event) => {
  if (!(event.target as Element).closest(".search")) results.hidden = true;
});
document.addEventListener("keydown", (event) => {
  const isTyping = (event.target as Element).matches("input, textarea");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    input.focus();
  }
});

// On a phone the list of pages would stand before every text.
const pages = document.querySelector<HTMLDetailsElement>(".pages details");
if (pages !== null && matchMedia("(max-width: 56rem)").matches) pages.open = false;
