/** Teams, their members and invitations, on the server. */
import { useCallback } from "react";
import useSWR, { useSWRConfig } from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys, staleBy } from "../../platform/api/keys";
import { locale } from "../../platform/i18n/locale";
import { t } from "../../platform/messages/teams";
import { toast } from "../../platform/notices/toast";

export type TeamListed = Schemas["TeamListed"];
export type TeamDetail = Schemas["TeamDetail"];
export type Member = Schemas["TeamMember"];
export type Invitation = Schemas["InvitationOut"];
export type Role = Schemas["TeamRole"];
export type LogPage = Schemas["Page_TeamLogEntry_"];

export const LOG_PAGE = 20;

export const ROLES: Record<Role, { label: string; description: string }> = {
  owner: { label: t("owner"), description: t("role.owner") },
  editor: { label: t("editor"), description: t("role.member") },
  viewer: { label: t("viewer"), description: t("role.viewer") },
};

export const useTeams = () =>
  useSWR<TeamListed[], Error>(keys.teams, async () => (await unwrap(api.GET("/api/teams"))).data);

const at = (team_id: string) => ({ params: { path: { team_id } } });

export const useTeam = (id: string) =>
  useSWR<TeamDetail, Error>(
    keys.team(id),
    async () => (await unwrap(api.GET("/api/teams/{team_id}", at(id)))).data,
  );

export const useVoices = (id: string) =>
  useSWR<Schemas["KnownVoicesOut"], Error>(
    keys.teamVoices(id),
    async () => (await unwrap(api.GET("/api/teams/{team_id}/voices", at(id)))).data,
  );

export const useTeamLog = (id: string, page: number) =>
  useSWR<LogPage, Error>(
    keys.teamLog(id, page),
    async () => {
      const params = { path: { team_id: id }, query: { page, per_page: LOG_PAGE } };
      // Only `format=csv` is answered with text.
      return (await unwrap(api.GET("/api/teams/{team_id}/log", { params }))) as LogPage;
    },
    { keepPreviousData: true },
  );

export const logCsvUrl = (id: string): string => `/api/teams/${id}/log?format=csv&in=${locale}`;

export async function createTeam(name: string): Promise<TeamDetail> {
  return (await unwrap(api.POST("/api/teams", { body: { name } }))).data;
}

/** The changes of teams. Each shows what the server says when it fails, and resolves to whether it worked. */
export function useTeamActions() {
  const { mutate } = useSWRConfig();
  const refresh = useCallback(
    (id: string) =>
      Promise.all([
        mutate(keys.user),
        mutate(keys.teams),
        mutate(staleBy(keys.team(id))),
        mutate(staleBy(keys.files)),
      ]),
    [mutate],
  );
  const attempt = useCallback(
    async (id: string, call: () => Promise<unknown>, done?: string) => {
      try {
        await call();
        if (done !== undefined) toast("success", done);
        return true;
      } catch (error) {
        toast("error", (error as Error).message);
        return false;
      } finally {
        await refresh(id);
      }
    },
    [refresh],
  );
  const ofMember = (team_id: string, user_id: string) => ({
    params: { path: { team_id, user_id } },
  });
  const ofInvitation = (team_id: string, invitation_id: string) => ({
    params: { path: { team_id, invitation_id } },
  });
  return {
    refresh,
    change: (id: string, body: Schemas["TeamChange"]) =>
      attempt(id, () => unwrap(api.PUT("/api/teams/{team_id}", { ...at(id), body })), t("saved")),
    remove: (id: string) => attempt(id, () => unwrap(api.DELETE("/api/teams/{team_id}", at(id)))),
    restore: (id: string) =>
      attempt(id, () => unwrap(api.POST("/api/teams/{team_id}/restore", at(id)))),
    leave: (id: string) =>
      attempt(id, () => unwrap(api.POST("/api/teams/{team_id}/leave", at(id)))),
    pay: (id: string) =>
      attempt(id, () => unwrap(api.POST("/api/teams/{team_id}/payer", at(id))), t("pay.done")),
    changeRole: (id: string, userId: string, role: Role) =>
      attempt(id, () =>
        unwrap(
          api.PUT("/api/teams/{team_id}/members/{user_id}", {
            ...ofMember(id, userId),
            body: { role },
          }),
        ),
      ),
    removeMember: (id: string, userId: string) =>
      attempt(id, () =>
        unwrap(api.DELETE("/api/teams/{team_id}/members/{user_id}", ofMember(id, userId))),
      ),
    resend: (id: string, invitationId: string) =>
      attempt(
        id,
        () =>
          unwrap(
            api.POST(
              "/api/teams/{team_id}/invitations/{invitation_id}/resend",
              ofInvitation(id, invitationId),
            ),
          ),
        t("invite.sentAgain"),
      ),
    withdraw: (id: string, invitationId: string) =>
      attempt(id, () =>
        unwrap(
          api.DELETE(
            "/api/teams/{team_id}/invitations/{invitation_id}",
            ofInvitation(id, invitationId),
          ),
        ),
      ),
    switchVoices: (id: string, isOn: boolean) =>
      attempt(id, () =>
        unwrap(api.PUT("/api/teams/{team_id}/voices", { ...at(id), body: { is_on: isOn } })),
      ),
    forgetVoice: (id: string, name: string) =>
      attempt(
        id,
        () => unwrap(api.POST("/api/teams/{team_id}/voices/forget", { ...at(id), body: { name } })),
        t("voices.forgotten", { name }),
      ),
    /** `place` names where they go. */
    moveFiles: (ids: string[], from: string | null, to: string | null, place: string) =>
      attempt(
        to ?? from ?? "",
        () =>
          unwrap(
            to === null
              ? api.DELETE("/api/teams/{team_id}/files", { ...at(from ?? ""), body: { ids } })
              : api.POST("/api/teams/{team_id}/files", { ...at(to), body: { ids } }),
          ),
        t("movedTo", { count: ids.length, place }),
      ),
  };
}

export const sendInvitation = async (id: string, email: string, role: Role): Promise<void> => {
  await unwrap(api.POST("/api/teams/{team_id}/invitations", { ...at(id), body: { email, role } }));
};

export type InvitationView = Schemas["InvitationView"];

export const openInvitation = async (token: string): Promise<InvitationView> =>
  (await unwrap(api.POST("/api/teams/invitations/open", { body: { token } }))).data;

export const acceptInvitation = async (token: string): Promise<TeamDetail> =>
  (await unwrap(api.POST("/api/teams/invitations/accept", { body: { token } }))).data;

export const declineInvitation = async (token: string): Promise<void> => {
  await unwrap(api.POST("/api/teams/invitations/decline", { body: { token } }));
};
