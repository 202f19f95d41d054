/** Caption times: integer milliseconds here, `hh:mm:ss,mmm` where people read or type them. */
import type { Schemas } from "../../platform/api/client";
import { halfWidths } from "./quality/measure";

export function stamp(ms: number): string {
  const pad = (value: number, width = 2) => String(value).padStart(width, "0");
  const seconds = Math.floor(ms / 1000);
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)},${pad(ms % 1000, 3)}`;
}

const STAMP = /^(?:(?:(\d{1,2}):)?(\d{1,2}):)?(\d{1,2})(?:[.,](\d{1,3}))?$/;

/** Parse a typed time to milliseconds. Hours and minutes are optional, comma or dot; undefined if it is no time. */
export function parseStamp(text: string): number | undefined {
  const found = STAMP.exec(text.trim());
  if (found === null) return undefined;
  const [, hours = "0", minutes = "0", seconds = "0", fraction = "0"] = found;
  if (Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return (
    (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 +
    Number(fraction.padEnd(3, "0"))
  );
}

/** The numbers a caption should keep to: characters a row, rows, and characters a second. */
export type CaptionRules = Schemas["CaptionRulesConfig"];

type RulesConfig = Pick<Schemas["PublicConfig"], "captions" | "captions_by_language">;

/** The rules for captions in a language, given as a code such as `ja` or `zh-TW`. */
export const rulesFor = (config: RulesConfig, language: string | undefined): CaptionRules =>
  config.captions_by_language[language?.split("-")[0]?.toLowerCase() ?? ""] ?? config.captions;

const UNUSUAL = /[<{\n\u0300-\u{10ffff}]/u;

/** Characters a reader sees, by the rule of `visible_length` in `pipelines/captions/texts/text.py`. */
export function visibleLength(text: string): number {
  // Plain letters, the usual case, are counted without taking the text apart.
  return UNUSUAL.test(text) ? halfWidths(text, false) / 2 : text.length;
}
