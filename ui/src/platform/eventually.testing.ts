/** How long tests wait for what a page does by itself. The libraries' own second is too short on a busy machine. */
import { vi } from "vitest";

/** Only a test that fails waits so long; it is below the time that a test has in all. */
const PATIENCE_MS = 50_000;

/** Waits until `check` throws no longer. Rejects with its last error. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS });
}

// Testing Library's own waits: `findBy…` and `waitFor`. Tests without a page do without the library.
if (typeof document !== "undefined") {
  const { configure } = await import("@testing-library/dom");
  configure({ asyncUtilTimeout: PATIENCE_MS });
}
