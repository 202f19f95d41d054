import { Alert, Button, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState, type ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { useSWRConfig } from "swr";
import { setActiveTeam } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { rememberTeam } from "../../domain/person/rememberedTeam";
import { t } from "../../platform/messages/teams";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { useSession } from "../../domain/person/session";
import { useSignOut } from "../../domain/person/useSignOut";
import {
  acceptInvitation,
  declineInvitation,
  openInvitation,
  ROLES,
  type InvitationView,
} from "./data";
import { JoinForm } from "./JoinForm";

const NO_TOKEN = t("invite.incomplete");

/** Where the link of an invitation leads: join with the account of its address, or make one. */
export default function InvitationPage() {
  usePageTitle(t("invitation"));
  const token = useLocation().hash.slice(1);
  const navigate = useNavigate();
  const { user } = useSession();
  const { mutate } = useSWRConfig();
  const [invitation, setInvitation] = useState<InvitationView>();
  const [problem, setProblem] = useState<string>();
  const [isDeclined, setDeclined] = useState(false);

  useEffect(() => {
    if (token === "") return;
    let isGone = false;
    openInvitation(token).then(
      (found) => !isGone && setInvitation(found),
      (error: unknown) => !isGone && setProblem((error as Error).message),
    );
    return () => {
      isGone = true;
    };
  }, [token]);

  const join = async () => {
    setProblem(undefined);
    try {
      const team = await acceptInvitation(token);
      rememberTeam(team.id);
      setActiveTeam(team.id);
      await mutate((key) => key !== keys.config, undefined);
      await navigate(`/teams?team=${team.id}`);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  const decline = async () => {
    try {
      await declineInvitation(token);
      setDeclined(true);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };

  if (isDeclined) {
    return (
      <Answer title={t("invite.declined")}>
        {invitation?.inviter ?? t("theTeam")} {t("invite.canAgain")}
      </Answer>
    );
  }
  if (invitation === undefined) {
    const sentence = token === "" ? NO_TOKEN : problem;
    return sentence === undefined ? (
      <Loader aria-label={t("loading")} />
    ) : (
      <Answer title={t("invite.unusable")}>{sentence}</Answer>
    );
  }
  return (
    <Stack gap="md">
      <Offer invitation={invitation} />
      {problem !== undefined && (
        <Alert color="red" role="alert">
          {problem}
        </Alert>
      )}
      {user == null ? (
        <JoinForm invitation={invitation} onSignedIn={join} />
      ) : user.email === invitation.email ? (
        <Group>
          <Button size="md" onClick={() => void join()}>
            {t("joinTeam", { team: invitation.team })}
          </Button>
          <Button size="md" variant="default" onClick={() => void decline()}>
            {t("decline")}
          </Button>
        </Group>
      ) : (
        <OtherAccount own={user.email} invited={invitation.email} />
      )}
    </Stack>
  );
}

function Offer({ invitation }: { invitation: InvitationView }) {
  const { team, inviter, role } = invitation;
  return (
    <div>
      <Title order={1}>{t("joinTeam", { team })}</Title>
      <Text className="quiet">
        {inviter === null ? t("invite.title") : t("invite.from", { inviter })}{" "}
        {t("invite.role", {
          roleLabel: ROLES[role].label.toLowerCase(),
          description: ROLES[role].description,
        })}
      </Text>
    </div>
  );
}

/** The mail went to another address than the one of the signed-in account. */
function OtherAccount({ own, invited }: { own: string; invited: string }) {
  const { signOut, dialog } = useSignOut();
  return (
    <>
      <Alert color="yellow" role="alert">
        {t.rich("invite.wrongAccount", {
          invited,
          b: (parts) => <strong>{parts}</strong>,
          own,
        })}
      </Alert>
      <Group>
        <Button onClick={signOut}>{t("invite.signOut")}</Button>
        <Button variant="default" component={Link} to="/dashboard">
          {t("invite.stay")}
        </Button>
      </Group>
      {dialog}
    </>
  );
}

function Answer({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap="md" align="flex-start">
      <div>
        <Title order={1}>{title}</Title>
        <Text className="quiet" role="status">
          {children}
        </Text>
      </div>
      <Button component={Link} to="/dashboard">
        {t("toFiles")}
      </Button>
    </Stack>
  );
}
