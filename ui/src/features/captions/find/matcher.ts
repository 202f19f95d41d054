/** Text and patterns to search for. Both match in time that grows with the text and no faster. */
import type { RE2JS } from "re2js";
import { limitOf } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/editor";

export interface SearchTerms {
  query: string;
  matchCase: boolean;
  wholeWord: boolean;
  /** `query` is a regular expression of RE2, which has no expression that takes exponential time. */
  isPattern: boolean;
}

/** A match in a text, in UTF-16 units. `groups[0]` is the whole match. */
export interface Match {
  start: number;
  end: number;
  groups: string[];
}

export type Matcher = (text: string) => Match[];

const WORD_CHARACTER = /[\p{L}\p{N}\p{M}_]/u;

/** The characters of a word as the server defines them: letters, digits, marks and `_`. */
const isInWord = (text: string, start: number, end: number): boolean => {
  const before = [...text.slice(Math.max(0, start - 2), start)].at(-1) ?? "";
  const after = String.fromCodePoint(text.codePointAt(end) ?? 32);
  return WORD_CHARACTER.test(before) || WORD_CHARACTER.test(after);
};

/** The matcher of the terms; null when there is nothing to search for. Throws an `Error` with a sentence for a wrong pattern. */
export async function makeMatcher(terms: SearchTerms): Promise<Matcher | null> {
  if (terms.query === "") return null;
  const most = limitOf("text_limits", "search");
  if (terms.query.length > most) throw new Error(t("queryTooLong", { most }));
  const find = terms.isPattern ? await patternFinder(terms) : textFinder(terms);
  return (text) =>
    find(text).filter(
      ({ start, end }) => end > start && !(terms.wholeWord && isInWord(text, start, end)),
    );
}

function textFinder({ query, matchCase }: SearchTerms): Matcher {
  const escaped = query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const expression = new RegExp(escaped, matchCase ? "gu" : "giu");
  return (text) =>
    [...text.matchAll(expression)].map((found) => ({
      start: found.index,
      end: found.index + found[0].length,
      groups: [found[0]],
    }));
}

async function patternFinder({ query, matchCase }: SearchTerms): Promise<Matcher> {
  const { RE2JS } = await import("re2js");
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(query, matchCase ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    throw new Error(t("patternWrong", { reason: (error as Error).message }), {
      cause: error,
    });
  }
  return (text) => {
    const found: Match[] = [];
    const matcher = expression.matcher(text);
    while (matcher.find()) {
      const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, at) => {
        return matcher.group(at) ?? "";
      });
      found.push({ start: matcher.start(), end: matcher.end(), groups });
    }
    return found;
  };
}

/** The replacement of one match. In patterns `$1` to `$9` are groups, `$0` or `$&` is the match, and `$$` is a dollar. */
export function replacementOf(match: Match, replacement: string, isPattern: boolean): string {
  if (!isPattern) return replacement;
  return replacement.replace(/\$([$&\d])/g, (_, sign: string) => {
    if (sign === "$") return "$";
    return match.groups[sign === "&" ? 0 : Number(sign)] ?? "";
  });
}

/** The text with its matches replaced. */
export function replaced(
  text: string,
  matches: readonly Match[],
  replacement: string,
  isPattern: boolean,
): string {
  let from = 0;
  let made = "";
  for (const match of matches) {
    made += text.slice(from, match.start) + replacementOf(match, replacement, isPattern);
    from = match.end;
  }
  return made + text.slice(from);
}
