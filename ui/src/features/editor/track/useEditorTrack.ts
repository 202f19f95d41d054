import { useRef, useState, useSyncExternalStore } from "react";
import type { Track } from "../../../domain/captions/calls";
import type { EditorStore } from "../../../domain/captions/store/EditorStore";
import { keys } from "../../../platform/api/keys";
import type { OpenTrack } from "./openTrack";
import { useCaptions, useFirstLines } from "./useCaptions";
import { useLeaving } from "./useLeaving";
import { useLiveChanges } from "./useLiveChanges";
import { useOpening } from "./useOpening";

export type EditorTrack =
  | { kind: "loading" }
  | { kind: "failed"; error: Error }
  /** The store has the first lines alone, which nothing changes. The rest loads, or cannot be loaded. */
  | { kind: "part"; store: EditorStore; error: Error | undefined }
  /** After a change of the language the store is still the former one's: the new one loads, or cannot be loaded. */
  | { kind: "former"; store: EditorStore; error: Error | undefined }
  | { kind: "open"; store: EditorStore };

const noChanges = () => () => undefined;

/**
 * The captions of a track, to be edited. The first lines come first if they reach `opensAt`, in milliseconds. Mount with
 * the slug as key.
 */
export function useEditorTrack(track: Track, opensAt = Number.POSITIVE_INFINITY): EditorTrack {
  const key = keys.captions(track.slug, track.language);
  const { data: all, error } = useCaptions(track);
  // Until the captions of another language are here, the former language's.
  const [open, setOpen] = useState<OpenTrack>();
  const opening = { made: useRef<OpenTrack>(undefined), hasMissed: useRef(false) };
  // A store that has all lines never gets a part of them: a team that somebody left empties the cache.
  const part = useFirstLines(track, opensAt, all !== undefined || open?.key === key);
  useOpening(track, all ?? part, opening, setOpen);
  useLeaving(open);
  useLiveChanges(track, open, opening);
  const isPart = useSyncExternalStore(
    open?.store.subscribe ?? noChanges,
    () => open?.store.get().captions.isPart === true,
  );
  if (open === undefined)
    return error === undefined ? { kind: "loading" } : { kind: "failed", error };
  const { store } = open;
  if (open.key !== key) return { kind: "former", store, error };
  return isPart ? { kind: "part", store, error } : { kind: "open", store };
}
