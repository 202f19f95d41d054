import type { MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { loadLanguageNames } from "./languageNames";
import { locale } from "./locale";

/** ICU messages by key. The build parses those with placeholders, so that no page loads a parser. */
export type Catalogue = Readonly<Record<string, string | MessageFormatElement[]>>;

/** The catalogues of the page's language by feature; empty in English, which each feature brings along. */
export const loaded: Record<string, Catalogue> = {};

const PARTS = {
  visitor: () => import("./parts/visitor"),
  landing: () => import("./parts/landing"),
  files: () => import("./parts/files"),
  others: async () => {
    const [part] = await Promise.all([import("./parts/others"), loadLanguageNames()]);
    return part;
  },
};
export type Part = keyof typeof PARTS;

const arriving = new Map<Part, Promise<void>>();

/**
 * Wait for the sentences of a part of the pages. A module that holds sentences in constants must be
 * imported after them.
 */
export async function loadSentences(part: Part): Promise<void> {
  if (locale === "en") return;
  const known = arriving.get(part);
  if (known !== undefined) return known;
  const arrival = PARTS[part]().then(({ default: files }) => {
    for (const [path, catalogue] of Object.entries(files))
      loaded[path.slice(path.lastIndexOf("/") + 1, -3)] = catalogue as Catalogue;
  });
  arriving.set(part, arrival);
  return arrival;
}

/** Import a module after the sentences that it holds. */
export const withSentences =
  <Module>(part: Part, load: () => Promise<Module>) =>
  async (): Promise<Module> => {
    if (part === "others") await loadSentences("files");
    await loadSentences(part);
    return load();
  };

// Whatever has sentences imports this module and waits here for those that every page has.
if (locale !== "en") await loadSentences("visitor");
