import { useRememberedTeam } from "../person/rememberedTeam";
import { activeTeamOf } from "../person/navigation";
import { useSession } from "../person/session";

/** Whether what a person adds may go where they work: not into a team in which they only look. */
export function useMayAdd(): boolean {
  const { user } = useSession();
  const choice = useRememberedTeam();
  if (user == null) return false;
  const active = activeTeamOf(user, choice);
  const role = user.teams.find(({ id }) => id === active)?.role;
  return role !== "viewer" && user.browse_as?.may_change !== false;
}
