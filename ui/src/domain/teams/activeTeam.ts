/** The team that this browser's person works for: stored, sent with each call, and known to the pages. */
import { useCallback } from "react";
import { useSWRConfig } from "swr";
import { setActiveTeam } from "../../platform/api/client";
import { isPersonal } from "../../platform/api/keys";
import { activeTeamOf, PERSONAL } from "../person/navigation";
import { rememberTeam, useRememberedTeam } from "../person/rememberedTeam";
import { useSession, type User } from "../person/session";

export type Team = User["teams"][number];

export interface ActiveTeam {
  /** Undefined while somebody works for themselves. */
  team: Team | undefined;
  /** The teams to choose from. */
  teams: Team[];
  /** Whether they may also work for themselves. Without a plan of their own they work through a team. */
  mayBePersonal: boolean;
  /** Work for a team from now on, or without one for oneself. Everything on the page is fetched again. */
  choose: (id: string | undefined) => Promise<void>;
}

export function useActiveTeam(): ActiveTeam {
  const { user } = useSession();
  const { mutate } = useSWRConfig();
  const teams = user?.teams.filter(({ is_active }) => is_active) ?? [];
  const choice = useRememberedTeam();
  const active = user == null ? undefined : activeTeamOf(user, choice);

  const choose = useCallback(
    async (id: string | undefined) => {
      rememberTeam(id ?? PERSONAL);
      setActiveTeam(id);
      await mutate(isPersonal, undefined);
    },
    [mutate],
  );

  return {
    team: teams.find(({ id }) => id === active),
    teams,
    mayBePersonal: user != null && (user.has_subscription || !user.has_team),
    choose,
  };
}
