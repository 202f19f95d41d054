/** What the store asks of its page, and what it answers to a command. */
import type { Step } from "../model/history";
import type { Captions } from "../types";

export interface Hooks {
  /** Something could not be done; the sentence is for the person. */
  onProblem: (message: string) => void;
  /** The captions now on the server, for other views of the file. */
  onSaved: (captions: Captions) => void;
}

export type Ran =
  | { kind: "done"; step: Step | null }
  | { kind: "refused" }
  /** The lines are locked until the server answers; null if the command was not done. */
  | { kind: "waiting"; step: Promise<Step | null> };
