import { useEffect } from "react";
import type { Track } from "../../../domain/captions/calls";
import { onAccess, onChange, onMissed } from "../../../domain/captions/changes";
import { keys } from "../../../platform/api/keys";
import type { OpenTrack } from "./openTrack";
import type { Opening } from "./useOpening";

/** Follow what others change, and what this person may do: by events, and after events may have been lost. */
export function useLiveChanges(
  { slug, language }: Track,
  open: OpenTrack | undefined,
  { made, hasMissed }: Opening,
): void {
  const key = keys.captions(slug, language);

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
  }, [key, made, hasMissed]);

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
  }, [open, slug, hasMissed]);
}
