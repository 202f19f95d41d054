/** The team that somebody chose in this browser. Signing out clears it with everything else. */
import { useSyncExternalStore } from "react";

const KEY = "sagascript.team";
const listeners = new Set<() => void>();

export const rememberedTeam = (): string | undefined => localStorage.getItem(KEY) ?? undefined;

export function rememberTeam(choice: string): void {
  localStorage.setItem(KEY, choice);
  for (const listener of listeners) listener();
}

export function forgetTeam(): void {
  localStorage.removeItem(KEY);
  for (const listener of listeners) listener();
}

const listen = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The choice, for components that show it. */
export const useRememberedTeam = (): string | undefined =>
  useSyncExternalStore(listen, rememberedTeam);
