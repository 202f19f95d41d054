/** Messages about who has captions open, from the realtime connection to the editor. */
import type { Schemas } from "../../../platform/api/client";

export type PresenceMessage = Schemas["PresenceMessage"];
type Listener = (message: PresenceMessage) => void;

const listeners = new Set<Listener>();

export function onPresence(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const reportPresence: Listener = (message) => {
  for (const listener of listeners) listener(message);
};
