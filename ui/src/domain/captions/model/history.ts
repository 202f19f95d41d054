/** What undo and redo would do, as far as this page knows it: the changes that it made or saw since it was opened. */
import type { Line } from "../types";

/** The lines that a change touched, as they were and as they are. */
export interface Step {
  before: Line[];
  after: Line[];
}

/** The newest step first. A list of links, because every version of the model shares it. */
export type Steps = { step: Step; rest: Steps } | null;

export interface History {
  done: Steps;
  undone: Steps;
  /** The server has changes to undo or to redo from before this page was opened. */
  olderDone: boolean;
  olderUndone: boolean;
}

export const inverse = ({ before, after }: Step): Step => ({ before: after, after: before });

/** The step that an undo or redo takes and the history after it. */
export function travel(
  history: History,
  action: "Undo" | "Redo",
): (History & { step: Step }) | "unknown" | "nothing" {
  const { done, undone, olderDone, olderUndone } = history;
  if (action === "Undo") {
    if (done === null) return olderDone ? "unknown" : "nothing";
    return {
      step: inverse(done.step),
      done: done.rest,
      undone: { step: done.step, rest: undone },
      olderDone,
      olderUndone,
    };
  }
  if (undone === null) return olderUndone ? "unknown" : "nothing";
  return {
    step: undone.step,
    done: { step: undone.step, rest: done },
    undone: undone.rest,
    olderDone,
    olderUndone,
  };
}

export const canUndo = ({ done, olderDone }: History): boolean => done !== null || olderDone;
export const canRedo = ({ undone, olderUndone }: History): boolean =>
  undone !== null || olderUndone;
