import type { MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { loadLanguageNames } from "./languageNames";
import { locale } from "./locale";

/** ICU messages by key. The build parses those with placeholders, so that no page loads a parser. */
export type Catalogue = Readonly<Record<string, string | MessageFormatElement[]>>;
export type Files = Readonly<Record<string, () => Promise<Catalogue>>>;

/** The catalogues of the page's language by name; empty in English, which each feature brings along. */
export const loaded: Record<string, Catalogue> = {};

/** What the first pages say. `others.ts` has the rest, whose list would weigh on every first load. */
const FIRST: Files = import.meta.glob<Catalogue>(
  ["../messages/*/{shell,auth,landing,files}.json", "!../messages/en/*.json"],
  { import: "default" },
);
const PARTS = { visitor: ["shell"], signIn: ["auth"], landing: ["landing"], files: ["files"] };
export type Part = keyof typeof PARTS | "others";

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1, -".json".length);
const arriving = new Map<Part, Promise<void>>();

/** Load catalogues of the page's language. Those that it lacks are read in English. */
async function load(files: Files, isWanted: (name: string) => boolean): Promise<void> {
  const wanted = Object.entries(files).filter(
    ([path]) => path.includes(`/${locale}/`) && isWanted(nameOf(path)),
  );
  await Promise.all(
    wanted.map(async ([path, fetchFile]) => {
      loaded[nameOf(path)] = await fetchFile();
    }),
  );
}

async function loadOthers(): Promise<void> {
  const [{ OTHERS }] = await Promise.all([import("./others"), loadLanguageNames()]);
  await load(OTHERS, () => true);
}

/**
 * Wait for the sentences of a part of the pages. A module that holds sentences in constants must be
 * imported after them.
 */
export async function loadSentences(part: Part): Promise<void> {
  if (locale === "en") return;
  const known = arriving.get(part);
  if (known !== undefined) return known;
  const arrival =
    part === "others" ? loadOthers() : load(FIRST, (name) => PARTS[part].includes(name));
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
