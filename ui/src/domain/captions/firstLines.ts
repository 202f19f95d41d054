/** The first lines of a transcription, which show while all of them are on their way. */
import { api, unwrap } from "../../platform/api/client";
import type { Captions } from "./types";

/** They fill the tallest screen. */
const FIRST_LINES = 60;

export async function fetchFirstLines(slug: string): Promise<Captions> {
  const params = { path: { key: slug }, query: { most: FIRST_LINES } };
  return (await unwrap(api.GET("/api/files/captions/{key}", { params, cache: "no-store" }))).data;
}

/** Whether these are all lines there are. A draft comes whole. */
export const isWhole = ({ is_live, lines }: Captions): boolean =>
  is_live || lines.length < FIRST_LINES;

/** The first lines as the page shows them: nothing can change before all are here. Undefined if they end before `ms`. */
export function partOf(first: Captions, ms: number): Captions | undefined {
  const end = first.lines.at(-1)?.end_ms ?? 0;
  return isWhole(first) || end < ms ? undefined : { ...first, is_live: true, isPart: true };
}
