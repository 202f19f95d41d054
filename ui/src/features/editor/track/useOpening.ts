import { useEffect, type RefObject } from "react";
import { useSWRConfig } from "swr";
import type { Track } from "../../../domain/captions/calls";
import type { EditorStore } from "../../../domain/captions/store/EditorStore";
import type { Captions } from "../../../domain/captions/types";
import { openJournal } from "../../../domain/offline/journals";
import { lateJournal } from "../../../domain/offline/lateJournal";
import { useSession } from "../../../domain/person/session";
import { keys } from "../../../platform/api/keys";
import { storeOf, unsettled, type OpenTrack } from "./openTrack";

export interface Opening {
  /** What is open now, also before React has drawn it. */
  made: RefObject<OpenTrack | undefined>;
  /** Whether others may have changed something while the captions were on their way. */
  hasMissed: RefObject<boolean>;
}

/**
 * Open a store for the captions once they are here, or take over the one that this track had before; newer captions go
 * into the open one. What was missed is made up for as soon as all lines are here. `onOpen` has to stay the same.
 */
export function useOpening(
  { slug, language }: Track,
  data: Captions | undefined,
  { made, hasMissed }: Opening,
  onOpen: (open: OpenTrack) => void,
): void {
  const key = keys.captions(slug, language);
  const { user } = useSession();
  const { mutate } = useSWRConfig();
  // This browser keeps nothing of an account that an administrator looks into. Null until we know who is here.
  const account = user === undefined ? null : user?.browse_as == null ? user?.id : undefined;

  useEffect(() => {
    if (data === undefined) return;
    const makeUp = (store: EditorStore) => {
      if (!hasMissed.current || data.isPart) return;
      hasMissed.current = false;
      if (!store.check()) void mutate(key);
    };
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    if (made.current?.key === key) {
      if (data.isPart) return;
      const { store, journal } = made.current;
      const receive = () => {
        if (isOver) return;
        store.receive(data);
        makeUp(store);
      };
      // With all lines, the store takes over what other pages left.
      if (journal.opening === null) receive();
      else void journal.opening.then(receive);
      return over;
    }
    const left = unsettled.get(key);
    // What its journal kept until the session ended is taken over by the next one.
    if (left?.journal.isOver() === true) {
      unsettled.delete(key);
      left.journal.close();
    } else if (left !== undefined) {
      if (data.isPart) return;
      unsettled.delete(key);
      left.store.receive(data);
      left.store.retry();
      made.current = left;
      onOpen(left);
      return;
    }
    if (account === null) return;
    const journal = lateJournal(openJournal(account, key));
    const begin = () => {
      if (isOver) {
        journal.close();
        return;
      }
      const store = storeOf({ slug, language }, data, { journal, mutate });
      journal.onLeft = () => store.resume();
      made.current = { key, store, journal };
      onOpen(made.current);
      makeUp(store);
    };
    if (data.isPart) begin();
    else void journal.opening?.then(begin);
    return over;
  }, [account, data, made, hasMissed, key, slug, language, mutate, onOpen]);
}
