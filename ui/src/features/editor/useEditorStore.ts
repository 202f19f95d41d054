import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import useSWR, { useSWRConfig, type SWRConfiguration } from "swr";
import { begunOr } from "../../platform/api/early";
import { keys } from "../../platform/api/keys";
import { beforeSignOut, onSignOut } from "../../platform/offline/atSignOut";
import { useSession } from "../../domain/person/session";
import { toast } from "../../platform/notices/toast";
import { openJournal, type OpenJournal } from "../../domain/offline/journals";
import { lateJournal, type LateJournal } from "../../domain/offline/lateJournal";
import { fetchCaptions, fetchNewer, saveEdit, type Track } from "../../domain/captions/calls";
import { isSaved } from "./isSaved";
import { fetchFirstLines, partOf } from "../../domain/captions/firstLines";
import { onAccess, onChange, onMissed } from "../../domain/captions/changes";
import { EditorStore } from "../../domain/captions/store/EditorStore";
import type { Typed, View } from "../../domain/captions/store/state";
import type { Captions } from "../../domain/captions/types";

/**
 * The captions of a track; nothing is fetched while it is null. Two states are compared as objects: SWR would write
 * every word of both down.
 */
export function useCaptions(track: Track | null, options: SWRConfiguration<Captions, Error> = {}) {
  const { cache } = useSWRConfig();
  const key = track && keys.captions(track.slug, track.language);
  const held = () => (key === null ? undefined : (cache.get(key)?.data as Captions | undefined));
  const load = () => {
    if (track === null || key === null) return undefined;
    const before = held();
    const fetch = () => fetchCaptions(track, before);
    return before === undefined ? begunOr(key, fetch) : fetch();
  };
  return useSWR<Captions, Error>(key, load as () => Promise<Captions>, {
    revalidateOnFocus: false,
    compare: Object.is,
    ...options,
  });
}

const noChanges = () => () => undefined;

/** The first lines, where somebody opens the file at a time in milliseconds that they reach, until all are here. */
function useFirstLines({ slug, language }: Track, opensAt: number, isHere: boolean) {
  const key = keys.firstLines(slug);
  const isWanted = !isHere && language === undefined && Number.isFinite(opensAt);
  const { data } = useSWR<Captions, Error>(
    isWanted ? key : null,
    () => begunOr(key, () => fetchFirstLines(slug)),
    // All lines come by a call of their own, whose error shows.
    { revalidateOnFocus: false, compare: Object.is, onError: () => undefined },
  );
  return useMemo(
    () => (isWanted && data !== undefined ? partOf(data, opensAt) : undefined),
    [isWanted, data, opensAt],
  );
}

/**
 * Stores whose page was left before everything was saved. Somebody who returns gets the same one, because a second
 * store would take what the first one still sends for somebody else's changes.
 */
const unsettled = new Map<string, Open>();
onSignOut(() => unsettled.clear());

/** The store of captions that were left before everything was saved, by their key in the cache. */
export const unsettledStore = (key: string): EditorStore | undefined => unsettled.get(key)?.store;

interface Open {
  /** The key of the track in the cache. */
  key: string;
  store: EditorStore;
  journal: LateJournal;
}

/**
 * The store of a track's captions; undefined until they have arrived once. After a change of the language it is the
 * former track's until the captions of the new one arrive, and `isOther` is true. While `isPart`, it has the first lines
 * alone, if these reach `opensAt`, in milliseconds. Mount with the slug as key.
 */
export function useEditorStore(
  track: Track,
  opensAt = Number.POSITIVE_INFINITY,
): {
  store: EditorStore | undefined;
  isOther: boolean;
  isPart: boolean;
  error: Error | undefined;
} {
  const { slug, language } = track;
  const key = keys.captions(slug, language);
  const { data: all, error } = useCaptions(track);
  const [open, setOpen] = useState<Open>();
  // A store that has all lines never gets a part of them: a team that somebody left empties the cache.
  const part = useFirstLines(track, opensAt, all !== undefined || open?.key === key);
  const data = all ?? part;
  const { user } = useSession();
  // Of an account that an administrator looks into, this browser keeps nothing. Null until we know who is here.
  const account = user === undefined ? null : user?.browse_as == null ? user?.id : undefined;
  const made = useRef<Open>(undefined);
  const hasMissed = useRef(false);
  const { mutate } = useSWRConfig();

  // Before the captions are here, they are on their way, and may be older than what was missed.
  useEffect(() => {
    const check = (changed: string) => {
      if (changed !== key) return false;
      const store = made.current?.key === key ? made.current.store : undefined;
      if (store !== undefined && !store.get().captions.isPart) return store.check();
      hasMissed.current = true;
      return true;
    };
    return onMissed(check);
  }, [key]);

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
      setOpen(left);
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
      setOpen(made.current);
      makeUp(store);
    };
    if (data.isPart) begin();
    else void journal.opening?.then(begin);
    return over;
  }, [account, data, key, slug, language, mutate]);

  useEffect(() => {
    if (open === undefined) return;
    const { key: track, store, journal } = open;
    const save = () => store.flush();
    const hidden = () => document.visibilityState === "hidden" && store.flush();
    const leaving = (event: BeforeUnloadEvent) => {
      if (store.get().save.kind === "saved") return;
      store.flush();
      event.preventDefault();
    };
    const online = () => store.retry();
    document.addEventListener("visibilitychange", hidden);
    window.addEventListener("beforeunload", leaving);
    window.addEventListener("online", online);
    window.addEventListener("pagehide", save);
    const stop = beforeSignOut(() => isSaved(store));
    return () => {
      stop();
      document.removeEventListener("visibilitychange", hidden);
      window.removeEventListener("beforeunload", leaving);
      window.removeEventListener("online", online);
      window.removeEventListener("pagehide", save);
      // The first lines alone have no changes.
      if (store.get().captions.isPart) {
        store.dispose();
        journal.close();
        return;
      }
      unsettled.set(track, open);
      store.dispose();
      void store.settled().then((saved) => {
        // Somebody may have come back to it.
        if (saved && unsettled.get(track) === open && unsettled.delete(track)) journal.close();
      });
    };
  }, [open]);

  useEffect(() => {
    if (open === undefined) return;
    const { store } = open;
    return onChange((change) => {
      if (change.slug !== slug || change.language !== store.get().captions.language) return false;
      store.expect(change.revision);
      return true;
    });
  }, [open, slug]);

  useEffect(() => {
    if (open === undefined) return;
    const { store } = open;
    return onAccess(slug, () => {
      if (store.get().captions.isPart) hasMissed.current = true;
      else store.check();
    });
  }, [open, slug]);

  const isPart = useSyncExternalStore(
    open?.store.subscribe ?? noChanges,
    () => open?.store.get().captions.isPart === true,
  );
  return { store: open?.store, isOther: open?.key !== key, isPart, error };
}

function storeOf(
  track: Track,
  captions: Captions,
  { journal, mutate }: { journal: OpenJournal; mutate: ReturnType<typeof useSWRConfig>["mutate"] },
): EditorStore {
  const { slug, language } = track;
  const key = keys.captions(slug, language);
  let isEmpty = captions.lines.length === 0;
  return new EditorStore(
    captions,
    { load: (held) => fetchNewer(track, held), save: (edit) => saveEdit(slug, edit) },
    journal,
    {
      onProblem: (message) => toast("error", message),
      onSaved: (saved) => {
        void mutate(key, saved, { revalidate: false });
        // SWR would show lines fetched within the last 2 s, which do not say yet that their original changed.
        const translated = keys.translatedCaptions(slug);
        void mutate(
          (other) => typeof other === "string" && other.startsWith(translated) && other !== key,
        );
        // The file's record includes whether it has captions.
        if (isEmpty !== (saved.lines.length === 0)) void mutate(keys.file(slug));
        isEmpty = saved.lines.length === 0;
      },
    },
  );
}

/** A part of the store's view; rerenders only when that part changes. */
export function useView<T>(store: EditorStore, select: (view: View) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

export function useTyped(store: EditorStore, id: string): Typed | undefined {
  const select = useMemo(() => (view: View) => view.typed.get(id), [id]);
  return useView(store, select);
}
