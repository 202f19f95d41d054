/** What an exchange needs around it: the calls, and who wants to know what came of them. */
import type { CaptionEdit, Captions, Saved } from "../../types";

export interface Server {
  /** The newest captions. `held` is a state that this page knows, so that only what changed need be fetched. */
  load: (held: Captions) => Promise<Captions>;
  save: (edit: CaptionEdit) => Promise<Saved>;
}

export interface Listener {
  onProblem: (message: string) => void;
  onChange: () => void;
}
