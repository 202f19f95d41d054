/** Caption times: integer milliseconds here, `hh:mm:ss,mmm` where a person reads or types them. */

export function stamp(ms: number): string {
  const pad = (value: number, width = 2) => String(value).padStart(width, "0");
  const seconds = Math.floor(ms / 1000);
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)},${pad(ms % 1000, 3)}`;
}

const STAMP = /^(?:(?:(\d{1,2}):)?(\d{1,2}):)?(\d{1,2})(?:[.,](\d{1,3}))?$/;

/** The milliseconds of what somebody typed: hours and minutes may be left out, comma or dot; undefined when it is no time. */
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

export const MAX_LINE_CHARACTERS = 42;
export const MAX_LINES = 2;
export const WARN_CPS = 17;
export const ERROR_CPS = 20;

export interface Pace {
  cps: number;
  longest: number;
  level: "fine" | "warn" | "error";
  tooLong: boolean;
}

const segments = new Intl.Segmenter();

/** Reading speed in characters a second and the longest row, against the default caption rules. */
export function pace(text: string, startMs: number, endMs: number): Pace {
  const rows = text.split("\n").map(length);
  const count = length(text.replaceAll("\n", " "));
  const cps = count / (Math.max(1, endMs - startMs) / 1000);
  const longest = Math.max(...rows);
  const level = cps > ERROR_CPS ? "error" : cps > WARN_CPS ? "warn" : "fine";
  return { cps, longest, level, tooLong: longest > MAX_LINE_CHARACTERS || rows.length > MAX_LINES };
}

/** Characters as a reader sees them. Plain letters, the usual case, are counted without taking the text apart. */
function length(text: string): number {
  if (!UNUSUAL.test(text)) return text.length;
  let count = 0;
  for (const part of segments.segment(text)) count += part.index >= 0 ? 1 : 0;
  return count;
}

// Combining marks, joiners and everything outside of the basic plane may take several units for one character.
const UNUSUAL = /[\p{M}\u{200c}\u{200d}\u{fe0f}\r\u{1100}-\u{11ff}\u{10000}-\u{10ffff}]/u;
