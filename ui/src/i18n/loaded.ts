import { locale } from "./locale";

export type Catalogue = Readonly<Record<string, string>>;

/**
 * The catalogues of the page's language by feature; empty in English, which each feature brings along.
 * Everything that has sentences waits here, so that a constant of a module may already be translated.
 */
export const loaded: Readonly<Record<string, Catalogue>> =
  locale === "is" ? (await import("./is")).catalogues : {};
