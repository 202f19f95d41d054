import { useSyncExternalStore } from "react";
import type { Playback } from "./Playback";

/** Something that follows playback; draws again only when the selected value changes. */
export function usePlayback<T>(playback: Playback, select: (playback: Playback) => T): T {
  return useSyncExternalStore(playback.subscribe, () => select(playback));
}
