/** What somebody lost while a page was open. The page says so before it goes anywhere. */
import type { Visitor } from "../../domain/person/navigation";

export interface Member extends Visitor {
  id: string;
  browse_as?: unknown;
  teams: { id: string; name: string }[];
}

export interface AccessLoss {
  /** The page that was open. */
  at: string;
  /** The names of teams that they are no longer in. */
  teams: string[];
  /** Nothing is left that opens the pages: no plan of their own, and no other team. */
  isAll: boolean;
}

const mayWork = ({ has_subscription, has_team }: Visitor): boolean => has_subscription || has_team;

/** What the same person had before and has no more; undefined if nothing, or if somebody else is here now. */
export function lossBetween(
  before: Member | null | undefined,
  now: Member | null | undefined,
  at: string,
): AccessLoss | undefined {
  if (before == null || now?.id !== before.id) return undefined;
  // Support looks into an account and leaves it.
  if (before.browse_as != null || now.browse_as != null) return undefined;
  const held = new Set(now.teams.map(({ id }) => id));
  const teams = before.teams.filter(({ id }) => !held.has(id)).map(({ name }) => name);
  const isAll = mayWork(before) && !mayWork(now);
  return isAll || teams.length > 0 ? { at, teams, isAll } : undefined;
}
