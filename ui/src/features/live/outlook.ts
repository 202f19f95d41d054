/** What was said last and may still change, from the realtime connection to the page that shows it. */
export interface Outlook {
  slug: string;
  text: string;
  /** Groups of final words before it. */
  final: number;
}
type Listener = (outlook: Outlook) => void;

const listeners = new Set<Listener>();

export function onOutlook(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const reportOutlook: Listener = (outlook) => {
  for (const listener of listeners) listener(outlook);
};
