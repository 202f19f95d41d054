/** Corrections that a reviewer has typed and not saved yet. They outlive a reload of this tab. */

const PREFIX = "sagascript.review.";

type Drafts = Record<string, string>;

function read(id: string): Drafts {
  try {
    const held: unknown = JSON.parse(sessionStorage.getItem(PREFIX + id) ?? "{}");
    return typeof held === "object" && held !== null ? (held as Drafts) : {};
  } catch {
    return {};
  }
}

/** What was typed into a line; undefined when nothing is unsaved. */
export function draftOf(id: string, line: string): string | undefined {
  const text: unknown = read(id)[line];
  return typeof text === "string" ? text : undefined;
}

/** All that is unsaved. */
export const draftsOf = (id: string): string[] =>
  Object.values(read(id)).filter((text: unknown) => typeof text === "string");

/** Keep what is typed, or forget it. */
export function keepDraft(id: string, line: string, text: string | undefined): void {
  const drafts = new Map(Object.entries(read(id)));
  if (text === undefined) drafts.delete(line);
  else drafts.set(line, text);
  if (drafts.size === 0) forgetDrafts(id);
  else sessionStorage.setItem(PREFIX + id, JSON.stringify(Object.fromEntries(drafts)));
}

export const forgetDrafts = (id: string): void => sessionStorage.removeItem(PREFIX + id);
