/** Dashes, labels of speakers and signs at the edges of rows, by the rules of `pipelines/captions/texts/marks.py`. */
import { isTorn, UNSPACED } from "../model/text";
import type { Limits } from "./types";

const DASH = /^([-‐‑–—])(?![-‐‑–—])([ \u00a0]?)(?=\S)/u;
const LABELS: readonly [RegExp, Limits["label"] | "round"][] = [
  [/^\[([^[\]]{1,40})\](?=\s\S)/u, "brackets"],
  [/^\(([^()]{1,40})\)(?=\s\S)/u, "round"],
  [/^([A-ZÀ-ÖØ-Þ][A-ZÀ-ÖØ-Þ0-9 .'-]{1,38}):(?=\s\S)/u, "colon"],
];
export const DASHES = { hyphen: "-", hyphen_space: "- ", en_dash_space: "– " } as const;

/** The dash that begins a row with its space, such as `- `. */
export function dashOf(row: string): string | undefined {
  const found = DASH.exec(row);
  return found === null ? undefined : `${found[1]}${found[2] === "" ? "" : " "}`;
}

/** The label that begins a row, and its style; `round` for round brackets, which no profile wants. */
export function labelOf(
  row: string,
): { shown: string; style: Limits["label"] | "round" } | undefined {
  for (const [pattern, style] of LABELS) {
    const found = pattern.exec(row);
    if (found !== null) return { shown: found[0], style };
  }
  return undefined;
}

const NOT_FIRST =
  /^[、。，．・：；？！?!,.:;%…‥ー々ゝゞヽヾぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ）」』】〉》〕］｝)\]}”’｡､｣ｰﾞﾟ\u0e2f\u0e30\u0e32\u0e33\u0e45\u0e46\u0eb0\u0eb2\u0eb3\u0ec6\u17d4\u17d5\u17d6\u17d7]$/u;
const NOT_LAST = /^[「『（【〈《〔［｛｢“‘([{\u0e40-\u0e44\u0ec0-\u0ec4]$/u;
const UNSPACED_SIGN = new RegExp(`^[${UNSPACED}\\u3001-\\u3015\\uff01-\\uff9f]$`, "u");

/** The characters at the edges of two rows, if the script allows no break between them. */
export function forbiddenBreak(
  upper: string,
  lower: string,
): { before: string; after: string } | undefined {
  const before = [...upper.slice(-2)].at(-1) ?? "";
  const after = [...lower.slice(0, 2)][0] ?? "";
  if (before === "" || after === "") return undefined;
  const isForbidden =
    (UNSPACED_SIGN.test(before) && NOT_FIRST.test(after)) ||
    (NOT_LAST.test(before) && UNSPACED_SIGN.test(after));
  return isForbidden || isTorn(upper, lower) ? { before, after } : undefined;
}
