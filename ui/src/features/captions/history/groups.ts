/** Steps through the history that follow each other, as one row of the list. */
import type { Version } from "./data";

const STEPS = new Set(["Undo", "Redo"]);

/** Versions in their order; a run of undos, or of redos, by one person is one group. A named version stands alone. */
export function groupsOf(versions: readonly Version[], now: number): Version[][] {
  const groups: Version[][] = [];
  for (const version of versions) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    const joins =
      before !== undefined &&
      STEPS.has(version.action ?? "") &&
      version.action === before.action &&
      version.by === before.by &&
      version.name === null &&
      before.name === null &&
      before.number !== now;
    if (joins) last?.push(version);
    else groups.push([version]);
  }
  return groups;
}
