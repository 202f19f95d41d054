/** A section of the manual, as its index has it. */
export interface Section {
  page: string;
  address: string;
  heading: string;
  text: string;
}

export interface Hit extends Section {
  /** Some words around the first one that was found. */
  excerpt: string;
}

const HITS_MAX = 12;
const AROUND = 70;

/** Letters as one types them: without case and accents. */
export const folded = (text: string): string =>
  text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

export const wordsOf = (query: string): string[] => folded(query).split(/\s+/).filter(Boolean);

/** The sections that have every word of `query`, those with words in the heading first. */
export function search(sections: readonly Section[], query: string): Hit[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const scored = sections.flatMap((section) => {
    const heading = folded(`${section.heading} ${section.page}`);
    const text = folded(section.text);
    if (!words.every((word) => heading.includes(word) || text.includes(word))) return [];
    const inHeading = words.filter((word) => heading.includes(word)).length;
    const isStart = words.some((word) => heading.startsWith(word)) ? 1 : 0;
    return [{ section, score: inHeading * 10 + isStart }];
  });
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, HITS_MAX)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words) }));
}

function excerptOf(text: string, words: readonly string[]): string {
  const low = folded(text);
  const places = words.map((word) => low.indexOf(word)).filter((place) => place >= 0);
  const start = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - AROUND);
  const end = Math.min(text.length, start + 2.5 * AROUND);
  return `${start > 0 ? "…" : ""}${text.slice(start, end).trim()}${end < text.length ? "…" : ""}`;
}
