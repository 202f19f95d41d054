import type { EditorStore } from "../../domain/captions/store/EditorStore";

/** A slow connection gets this long before we ask the person. */
const SAVED_WITHIN_MS = 5_000;

/** Send everything unsaved, including what failed before. Resolves to whether all of it is saved. */
export function isSaved(store: Pick<EditorStore, "retry" | "get" | "subscribe">): Promise<boolean> {
  store.retry();
  return new Promise((resolve) => {
    const end = (saved: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(saved);
    };
    const look = () => {
      const { kind } = store.get().save;
      if (kind !== "saving") end(kind === "saved");
    };
    const timer = setTimeout(() => end(false), SAVED_WITHIN_MS);
    const stop = store.subscribe(look);
    look();
  });
}
