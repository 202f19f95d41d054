/** What a person types survives closing the panel and reloading the page, until they save or discard it. */
const keyOf = (id: string): string => `sagascript.aitext.${id}`;

export interface Draft {
  content: string;
  /** The version that was edited. */
  version: number;
}

export function heldDraft(id: string): Draft | undefined {
  try {
    const held: unknown = JSON.parse(sessionStorage.getItem(keyOf(id)) ?? "null");
    return isDraft(held) ? held : undefined;
  } catch {
    return undefined;
  }
}

/** Another build may have written something else. */
const isDraft = (held: unknown): held is Draft =>
  typeof (held as Draft | null)?.content === "string" &&
  typeof (held as Draft | null)?.version === "number";

export function holdDraft(id: string, draft: Draft): void {
  try {
    sessionStorage.setItem(keyOf(id), JSON.stringify(draft));
  } catch {
    // The browser's storage is full or off: the text stays in the page only.
  }
}

export function dropDraft(id: string): void {
  sessionStorage.removeItem(keyOf(id));
}
