import type { Pending } from "./exchange/Pending";
import type { Sender } from "./exchange/Sender";
import type { SaveState } from "./state";

/** What `view.save` says, by the table of `EditorStore`: `before` itself where it says the same, so that nothing is drawn for it. */
export function saveStateOf(
  pending: Pending,
  phase: Sender["phase"],
  before: SaveState | undefined,
): SaveState {
  const now = fresh(pending, phase);
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now;
}

function fresh({ conflicts, lines, typing }: Pending, phase: Sender["phase"]): SaveState {
  const [conflict] = conflicts;
  if (conflict !== undefined) return { kind: "conflict", conflict };
  if (phase.kind === "waiting") {
    const { failure } = phase;
    const { isAway = false, closed = null } = failure.kind === "wait" ? failure : {};
    return { kind: "failed", message: failure.message, kept: lines.queue.length, isAway, closed };
  }
  const isComplete = lines.queue.some((entry) => !entry.open);
  if (isComplete || (phase.kind === "busy" && lines.queue.length > 0)) return { kind: "saving" };
  const unsaved = lines.queue.length > 0 || typing.refused().length > 0;
  return { kind: unsaved ? "unsaved" : "saved" };
}
