/** What the open page can do, by name: the search dialog lists it. */
import { useSyncExternalStore, type ReactNode } from "react";

export interface PageCommand {
  id: string;
  label: string;
  /** The key that does the same, as it is shown. */
  shownKey: ReactNode;
  run: () => void;
}

const NONE: readonly PageCommand[] = [];
let offered = NONE;
const listeners = new Set<() => void>();

const offer = (commands: readonly PageCommand[]): void => {
  offered = commands;
  for (const listener of listeners) listener();
};

/** List these commands until the returned function is called. One page offers commands at a time. */
export function offerCommands(commands: readonly PageCommand[]): () => void {
  offer(commands);
  return () => {
    if (offered === commands) offer(NONE);
  };
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const usePageCommands = (): readonly PageCommand[] =>
  useSyncExternalStore(subscribe, () => offered);
