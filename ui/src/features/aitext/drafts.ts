/** What a person types survives closing the panel and reloading the page, until they save or discard it. */
const keyOf = (id: string): string => `sagascript.aitext.${id}`;

export interface Draft {
  content: string;
  /** The version that was edited. */
  version: number;
}

export function heldDraft(id: string): Draft | undefined {
  const held = sessionStorage.getItem(keyOf(id));
  return held === null ? undefined : (JSON.parse(held) as Draft);
}

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
