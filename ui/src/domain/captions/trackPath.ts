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

/** The page at a line of a track; without a language of the transcription. */
export function linePath(
  slug: string,
  { id, start_ms }: { id: string; start_ms: number },
  language?: string,
): string {
  const path = trackPath(slug, language);
  return `${path}${path.includes("?") ? "&" : "?"}${LINE}=${id}&${AT}=${start_ms}`;
}

/** The parameter that names a tool to open beside the lines. */
export const TOOL = "tool";

/** The page of the transcription with a tool beside its lines. */
export const toolPath = (slug: string, tool: string): string => `/captions/${slug}?${TOOL}=${tool}`;
