import { createContext, useContext } from "react";

/** Open notes by line, for the rows. The map is new only when a note is written, resolved or deleted. */
export const NotesContext = createContext<ReadonlyMap<string, number>>(new Map());

export const useNotesOfLine = (line: string): number => useContext(NotesContext).get(line) ?? 0;
