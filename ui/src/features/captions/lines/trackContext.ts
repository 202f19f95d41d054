import { createContext, useContext } from "react";
import type { TermIndex } from "../../../domain/captions/terms/TermIndex";

/** The track that rows belong to. Its values change rarely, because a change renders every row again. */
export interface TrackOfRows {
  /** The code of the captions' language. */
  language: string | undefined;
  /** The terms of the glossary: those of the original's language, for a translation those of both languages. */
  terms?: TermIndex | undefined;
  /** Set on translations. */
  translation?: {
    /** The code of the source captions' language. */
    from: string;
    /** Translate these lines again: ids of lines, or of source lines without a translation. */
    translateAgain: (ids: string[]) => void;
    /** The line is right although its source changed. */
    confirm: (id: string) => void;
    /** A translation runs, so another cannot start. */
    isBusy: boolean;
  };
}

export const TrackContext = createContext<TrackOfRows>({ language: undefined });

export const useTrackOfRows = (): TrackOfRows => useContext(TrackContext);
