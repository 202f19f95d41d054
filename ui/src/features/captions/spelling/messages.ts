/** What the page and the worker of the spelling check tell each other. */
export type ToWorker =
  /** The language of the captions, then the names of further dictionaries whose words are right too. */
  | { kind: "load"; language: string; also: readonly string[] }
  | { kind: "check"; words: string[] }
  | { kind: "suggest"; id: number; word: string };

export type FromWorker =
  | { kind: "loaded" }
  /** There is no dictionary for the language, or it could not be loaded; the sentence says which. */
  | { kind: "missing"; failed: boolean }
  | { kind: "checked"; wrong: string[]; words: string[] }
  | { kind: "suggested"; id: number; words: string[] };
