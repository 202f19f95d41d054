/** What must be finished before somebody signs out. */
type Finish = () => Promise<boolean>;

const pending = new Set<Finish>();

/** Have `finish` called before a sign-out; it answers whether everything is safe. Returns what takes it off again. */
export function beforeSignOut(finish: Finish): () => void {
  pending.add(finish);
  return () => pending.delete(finish);
}

/** Whether nothing would be lost by signing out now. */
export async function finishAll(): Promise<boolean> {
  const outcomes = await Promise.all([...pending].map((finish) => finish()));
  return outcomes.every(Boolean);
}
