import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import useSWR, { useSWRConfig } from "swr";
import { keys } from "../../api/keys";
import { beforeSignOut } from "../auth/beforeSignOut";
import { toast } from "../notifications/toast";
import { fetchCaptions, saveEdit } from "./calls";
import { isSaved } from "./isSaved";
import { EditorStore } from "./store/EditorStore";
import { browserJournal } from "./store/journal";
import type { Typed, View } from "./store/state";
import type { Captions } from "./types";

export function useCaptions(slug: string) {
  const { cache } = useSWRConfig();
  const key = keys.captions(slug);
  const held = () => cache.get(key)?.data as Captions | undefined;
  return useSWR<Captions, Error>(key, () => fetchCaptions(slug, held()), {
    revalidateOnFocus: false,
  });
}

/**
 * Stores whose page was left before everything was saved. Somebody who returns gets the same one, because a second
 * store would take what the first one still sends for somebody else's changes.
 */
const unsettled = new Map<string, EditorStore>();

/** The store of a file's captions; undefined until they have arrived once. Mount with the slug as key. */
export function useEditorStore(slug: string): {
  store: EditorStore | undefined;
  error: Error | undefined;
} {
  const { data, error, mutate } = useCaptions(slug);
  const [store, setStore] = useState<EditorStore>();
  const made = useRef<EditorStore>(undefined);
  const empty = useRef(false);
  const { mutate: refresh } = useSWRConfig();

  useEffect(() => {
    if (data === undefined) return;
    if (made.current !== undefined) {
      made.current.receive(data);
      return;
    }
    empty.current = data.lines.length === 0;
    const left = unsettled.get(slug);
    if (left !== undefined) {
      made.current = left;
      left.receive(data);
      left.retry();
      setStore(left);
      return;
    }
    made.current = new EditorStore(
      data,
      { load: () => fetchCaptions(slug), save: (edit) => saveEdit(slug, edit) },
      browserJournal(slug),
      {
        onProblem: (message) => toast("error", message),
        onSaved: (captions) => {
          void mutate(captions, { revalidate: false });
          // The file's record includes whether it has captions.
          if (empty.current !== (captions.lines.length === 0)) void refresh(keys.file(slug));
          empty.current = captions.lines.length === 0;
        },
      },
    );
    setStore(made.current);
  }, [data, slug, mutate, refresh]);

  useEffect(() => {
    if (store === undefined) return;
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
      unsettled.set(slug, store);
      store.dispose();
      void store.settled().then((saved) => saved && unsettled.delete(slug));
    };
  }, [store, slug]);

  return { store, error };
}

/** A part of the store's view; rerenders only when that part changes. */
export function useView<T>(store: EditorStore, select: (view: View) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

export function useTyped(store: EditorStore, id: string): Typed | undefined {
  const select = useMemo(() => (view: View) => view.typed.get(id), [id]);
  return useView(store, select);
}
