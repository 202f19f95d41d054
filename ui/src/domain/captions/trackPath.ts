/** The page of a file's captions in a language; without one those of the transcription. */
export const trackPath = (slug: string, language?: string): string =>
  language === undefined
    ? `/captions/${slug}`
    : `/captions/${slug}?${LANGUAGE}=${encodeURIComponent(language)}`;

/** The parameter of the page that names the language. */
export const LANGUAGE = "language";

/** The parameters that name a line to go to, and its time in milliseconds. */
export const LINE = "line";
export const AT = "at";
