/** Dashes of dialogues and labels of speakers, by the rules of `pipelines/captions/quality/marks.py`. */
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
