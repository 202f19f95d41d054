import { trackPath } from "../../domain/captions/trackPath";
import type { PageCommand } from "../../platform/page/pageCommands";
import { hitPath, type Found, type Match } from "./data";

/** What the search dialog offers: a command of the page, a file, a line of one, or the page with all results. */
export type Choice =
  | { kind: "command"; path: string; command: PageCommand }
  | { kind: "file"; path: string; file: Found }
  | { kind: "line"; path: string; match: Match }
  | { kind: "all"; path: string; total: number };

/** The choices in the order in which the arrow keys go through them. */
export function choicesOf(files: readonly Found[], total: number, keyword: string): Choice[] {
  const found = files.flatMap((file): Choice[] => [
    { kind: "file", path: trackPath(file.slug), file },
    ...file.matches.map((match): Choice => ({
      kind: "line",
      path: hitPath(file.slug, match),
      match,
    })),
  ]);
  if (total === 0) return found;
  return [...found, { kind: "all", path: `/captions?q=${encodeURIComponent(keyword)}`, total }];
}

/** The commands whose names have a word that begins with each of the typed ones; all of them while nothing is typed. */
export function commandsFor(commands: readonly PageCommand[], text: string): Choice[] {
  const wanted = wordsOf(text);
  return commands
    .filter(({ label }) => {
      const words = wordsOf(label);
      return wanted.every((start) => words.some((word) => word.startsWith(start)));
    })
    .map((command) => ({ kind: "command", path: `command:${command.id}`, command }));
}

/** Lower case and without accents, which not everybody types. */
const wordsOf = (text: string): string[] =>
  text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** The index after a key, from -1 for none; undefined for other keys. The ends join. */
export function indexAfter(key: string, index: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === "ArrowDown") return (index + 1) % count;
  if (key === "ArrowUp") return index <= 0 ? count - 1 : index - 1;
  return undefined;
}
