import { useCallback, useEffect, useRef, useState } from "react";
import { toast } from "../notifications/toast";
import { applySaved, saveEdit, StaleLine, useCaptions, type Edit } from "./data";
import type { Captions } from "./types";

export type SaveState =
  | { kind: "saved" }
  | { kind: "saving" }
  | { kind: "failed"; message: string; again: Edit }
  | { kind: "conflict"; message: string; mine: Edit; theirs: string | null };

export interface Editor {
  captions: Captions | undefined;
  error: Error | undefined;
  state: SaveState;
  /** Send one change; changes go one after the other. False when it was not saved. */
  change: (edit: Edit) => Promise<boolean>;
  retry: () => void;
  /** After a conflict: keep what is on the server, or save mine over it. */
  resolve: (choice: "mine" | "theirs") => void;
  reload: () => Promise<unknown>;
}

/** The captions of a file with every change saved as it is made, in order, never over somebody else's. */
export function useEditor(slug: string): Editor {
  const { data: captions, error, mutate } = useCaptions(slug);
  const [state, setState] = useState<SaveState>({ kind: "saved" });
  const current = useRef(captions);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    current.current = captions;
  }, [captions]);

  const perform = useCallback(
    async (edit: Edit): Promise<boolean> => {
      const held = current.current;
      if (held === undefined || held.is_live) return false;
      setState({ kind: "saving" });
      try {
        const next = applySaved(held, await saveEdit(held, edit));
        current.current = next;
        await mutate(next, { revalidate: false });
        setState({ kind: "saved" });
        return true;
      } catch (problem) {
        if (problem instanceof StaleLine) {
          const theirs = problem.line?.text ?? null;
          setState({ kind: "conflict", message: problem.message, mine: edit, theirs });
          current.current = await mutate();
        } else {
          const message = problem instanceof Error ? problem.message : String(problem);
          setState({ kind: "failed", message, again: edit });
          toast("error", message);
        }
        return false;
      }
    },
    [mutate],
  );

  const change = useCallback(
    (edit: Edit): Promise<boolean> => {
      const next = queue.current.then(() => perform(edit));
      queue.current = next;
      return next;
    },
    [perform],
  );

  const retry = useCallback(() => {
    if (state.kind === "failed") void change(state.again);
  }, [state, change]);

  const resolve = useCallback(
    (choice: "mine" | "theirs") => {
      if (state.kind !== "conflict") return;
      if (choice === "mine") void change(state.mine);
      else setState({ kind: "saved" });
    },
    [state, change],
  );

  // A tab that is closed with something unsaved asks first.
  useEffect(() => {
    if (state.kind === "saved") return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [state.kind]);

  return { captions, error, state, change, retry, resolve, reload: mutate };
}
