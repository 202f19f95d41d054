/** Whether pages show what this browser keeps, because the server could not be reached. */
let isLost = false;
const listeners = new Set<() => void>();

export const getLost = (): boolean => isLost;

export function subscribeLost(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: boolean): void {
  if (next === isLost) return;
  isLost = next;
  for (const listener of listeners) listener();
}

export const lose = (): void => set(true);
export const regain = (): void => set(false);
