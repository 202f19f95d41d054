import { createContext, use } from "react";
import type { MediaFile } from "../../domain/files/data";
import type { Editing } from "./editing";
import type { EditorState } from "./editorState";

export interface EditorContextValue {
  file: MediaFile;
  editing: Editing;
  /** The language of the chosen translation; undefined for the original. */
  chosen: string | undefined;
  state: EditorState;
  /** Whether this person may change the captions at all, whatever the state. */
  mayChange: boolean;
}

/** The file that is open in the editor, and what can be done with it. */
export const EditorContext = createContext<EditorContextValue | null>(null);

export function useEditor(): EditorContextValue {
  const value = use(EditorContext);
  if (value === null) throw new Error("no editor");
  return value;
}
