import { useMemo } from "react";
import type { EditorStore } from "../../domain/captions/store/EditorStore";
import { useView } from "./useView";

/**
 * What a person can do with the lines; the first that applies:
 *
 * | state    | while                                                          | text | times, tools |
 * | -------- | -------------------------------------------------------------- | ---- | ------------ |
 * | other    | captions of another language are chosen, and load or cannot    | no   | no           |
 * | live     | the transcription runs                                         | no   | no           |
 * | closed   | they are gone, and a banner says so                            | no   | no           |
 * | readOnly | this person may only look                                      | no   | no           |
 * | locked   | the effect of an undo or of a reload is not known yet          | yes  | no           |
 * | editable | otherwise                                                      | yes  | yes          |
 */
export type EditorState =
  | { kind: "other"; wait: "loading" | Error }
  | { kind: "live" }
  | { kind: "closed" }
  | { kind: "readOnly" }
  | { kind: "locked" }
  | { kind: "editable" };

/** `wait`: what the captions of the chosen language do while the store has another language's; null where it has theirs. */
export function useEditorState(store: EditorStore, wait: "loading" | Error | null): EditorState {
  const kind = useView(store, ({ captions, save, locked }) => {
    if (captions.is_live) return "live";
    if (save.kind === "failed" && save.closed !== null) return "closed";
    if (!captions.may_change) return "readOnly";
    return locked ? "locked" : "editable";
  });
  return useMemo(() => (wait === null ? { kind } : { kind: "other", wait }), [kind, wait]);
}

/** Whether the boxes of the lines take text. What is typed while they are locked is ignored. */
export const takesText = ({ kind }: EditorState): boolean =>
  kind === "editable" || kind === "locked";
