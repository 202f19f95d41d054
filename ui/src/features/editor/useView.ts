import { useMemo, useSyncExternalStore } from "react";
import type { EditorStore } from "../../domain/captions/store/EditorStore";
import type { Typed, View } from "../../domain/captions/store/state";

/** A part of the store's view; rerenders only when that part changes. */
export function useView<T>(store: EditorStore, select: (view: View) => T): T {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

export function useTyped(store: EditorStore, id: string): Typed | undefined {
  const select = useMemo(() => (view: View) => view.typed.get(id), [id]);
  return useView(store, select);
}
