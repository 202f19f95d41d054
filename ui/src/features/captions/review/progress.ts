/** How far a review is, and how long the rest may take. */
export interface Pace {
  /** Decisions in this visit, and the time between them in milliseconds. */
  decisions: number;
  spentMs: number;
}

/** Until somebody has decided a few times: time to listen to a word and press a key. */
const USUAL_MS = 6_000;
const MEASURED_FROM = 5;
/** A longer pause is a break. */
export const BREAK_MS = 60_000;

/** The share of spots that are done, in percent, and the minutes that the open groups may take. */
export function progressOf(
  done: number,
  openSpots: number,
  openGroups: number,
  pace: Pace,
): { percent: number; minutes: number } {
  const all = done + openSpots;
  const each = pace.decisions >= MEASURED_FROM ? pace.spentMs / pace.decisions : USUAL_MS;
  return {
    percent: all === 0 ? 100 : Math.floor((done / all) * 100),
    minutes: Math.ceil((openGroups * each) / 60_000),
  };
}
