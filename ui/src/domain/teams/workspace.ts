import { useRememberedTeam } from "../person/rememberedTeam";
import { activeTeamOf } from "../person/navigation";
import { useSession } from "../person/session";

/** The value of a file list's `team` for one's own files outside of teams. */
export const MINE = "mine";

/** Whose files a list shows where one works: a team's id, or `MINE`. Undefined for people without teams. */
export function useWorkspace(): string | undefined {
  const { user } = useSession();
  const choice = useRememberedTeam();
  if (user?.teams.some((team) => team.is_active) !== true) return undefined;
  return activeTeamOf(user, choice) ?? MINE;
}

/** Whether what a person adds may go where they work: not into a team in which they only look. */
export function useMayAdd(): boolean {
  const { user } = useSession();
  const choice = useRememberedTeam();
  if (user == null) return false;
  const active = activeTeamOf(user, choice);
  const role = user.teams.find(({ id }) => id === active)?.role;
  return role !== "viewer" && user.browse_as?.may_change !== false;
}
