/** Whether this browser page records. Apart from the recording itself, which most visits do not need. */
import { useSyncExternalStore } from "react";

let isActive = false;
const listeners = new Set<() => void>();

export function setRecording(active: boolean): void {
  if (active === isActive) return;
  isActive = active;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useIsRecording = (): boolean => useSyncExternalStore(subscribe, () => isActive);
