import { createContext, useContext } from "react";
import type { Speaker } from "../../domain/speakers/data";

/** The speakers of the open file, for its rows. The value changes rarely, because a change renders every row again. */
export interface SpeakersOfRows {
  speakers: readonly Speaker[];
  /** Say who speaks: a line alone, or with the lines after it that have the same speaker. */
  assign: (line: string, speaker: string | null, withRun: boolean) => void;
  /** Name a speaker. Resolves to whether it was saved. */
  rename: (label: string, name: string) => Promise<boolean>;
  recolour: (label: string, colour: number) => void;
  /** The file's speaker of this number, counted from 1, speaks these lines; one past the last is somebody new. */
  assignNumber: (lines: readonly string[], number: number) => void;
}

export const SpeakersContext = createContext<SpeakersOfRows | null>(null);

export const useSpeakersOfRows = (): SpeakersOfRows | null => useContext(SpeakersContext);
