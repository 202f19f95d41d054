import { useSyncExternalStore } from "react";
import type { Playback } from "./Playback";

/** A value that follows playback; rerenders only when it changes. */
export function usePlayback<T>(playback: Playback, select: (playback: Playback) => T): T {
  return useSyncExternalStore(playback.subscribe, () => select(playback));
}
