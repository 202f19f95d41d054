import { useEffect } from "react";
import { beforeSignOut } from "../../../platform/offline/atSignOut";
import { isSaved } from "../isSaved";
import { unsettled, type OpenTrack } from "./openTrack";

/** Save when the page is hidden, closed or left, and keep a store that is left until everything is saved. */
export function useLeaving(open: OpenTrack | undefined): void {
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
}
