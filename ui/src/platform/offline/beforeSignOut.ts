/** Work to finish before a sign-out. */
type Finish = () => Promise<boolean>;

const pending = new Set<Finish>();

/** Run `finish` before a sign-out; it resolves to whether everything is safe. Returns an unregister function. */
export function beforeSignOut(finish: Finish): () => void {
  pending.add(finish);
  return () => pending.delete(finish);
}

/** Run all of them; true when signing out now would lose nothing. */
export async function finishAll(): Promise<boolean> {
  const outcomes = await Promise.all([...pending].map((finish) => finish()));
  return outcomes.every(Boolean);
}
