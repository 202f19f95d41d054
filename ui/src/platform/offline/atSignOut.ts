/** Work to finish before a sign-out, and what a sign-out forgets. */
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

const forgetting = new Set<() => void>();

/** Clear the signed-in person's state by this at sign-out. */
export function onSignOut(forget: () => void): void {
  forgetting.add(forget);
}

/** Run all of them. */
export function forgetPerson(): void {
  for (const forget of forgetting) forget();
}
