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
