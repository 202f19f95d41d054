/** Changes that follow each other, as one row of the list. */
import type { Version } from "./data";

const STEPS = new Set(["Undo", "Redo"]);
/** Letters of a time up to its minute. */
const MINUTE = "2026-01-01T00:00".length;

/**
 * Versions in their order. What one person changed within a minute is a group, and so is a run of undos, or of redos.
 * A named version stands alone, and so does the present one.
 */
export function groupsOf(versions: readonly Version[], now: number): Version[][] {
  const groups: Version[][] = [];
  for (const version of versions) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    const joins =
      before !== undefined &&
      version.by === before.by &&
      version.is_guest === before.is_guest &&
      version.name === null &&
      before.name === null &&
      before.number !== now &&
      isSameKind(version, before);
    if (joins) last?.push(version);
    else groups.push([version]);
  }
  return groups;
}

function isSameKind(a: Version, b: Version): boolean {
  if (a.action === null || b.action === null) return false;
  if (STEPS.has(a.action) || STEPS.has(b.action)) return a.action === b.action;
  return a.at.slice(0, MINUTE) === b.at.slice(0, MINUTE);
}
