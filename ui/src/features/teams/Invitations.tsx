import { ActionIcon, Button, Select, TextInput, Title } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/teams";
import { IconRefresh, IconUserPlus, IconX } from "../../platform/theme/icons";
import { toast } from "../../platform/notices/toast";
import {
  ROLES,
  sendInvitation,
  useTeamActions,
  type Invitation,
  type Role,
  type TeamDetail,
} from "./data";
import { dayOf } from "../../platform/i18n/days";
import styles from "./teams.module.css";

/** Invite people by mail, and see who has not answered yet. */
export function Invitations({ team }: { team: TeamDetail }) {
  return (
    <section aria-labelledby="invite" className={styles.tab}>
      <div>
        <Title order={3} id="invite" mb="xs">
          {t("inviteSomebody")}
        </Title>
        <InviteForm team={team} />
      </div>
      {team.invitations.length > 0 && (
        <div>
          <Title order={3} mb="xs" id="open-invitations">
            {t("openInvitations")}
          </Title>
          <ul className={`card ${styles.rows}`} aria-labelledby="open-invitations">
            {team.invitations.map((invitation) => (
              <InvitationRow key={invitation.id} team={team} invitation={invitation} />
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function InviteForm({ team }: { team: TeamDetail }) {
  const { refresh } = useTeamActions();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>(
    team.roles_to_give.includes("editor") ? "editor" : (team.roles_to_give[0] ?? "viewer"),
  );
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const invite = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await sendInvitation(team.id, email, role);
      toast("success", t("invite.sent", { email: email.trim() }));
      setEmail("");
      await refresh(team.id);
    } catch (error) {
      const said = error instanceof ApiError ? error.fields.email?.[0] : undefined;
      setProblem(said ?? (error as Error).message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void invite(event)} noValidate className={`card ${styles.invite}`}>
      <TextInput
        type="email"
        label={t("email")}
        placeholder="name@example.com"
        autoComplete="off"
        value={email}
        error={problem}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <Select
        label={t("role")}
        data={team.roles_to_give.map((value) => ({ value, label: ROLES[value].label }))}
        value={role}
        allowDeselect={false}
        onChange={(value) => value !== null && setRole(value as Role)}
      />
      <Button
        type="submit"
        loading={busy}
        disabled={email.trim() === ""}
        leftSection={<IconUserPlus size={17} />}
      >
        {t("invite")}
      </Button>
      <p className={styles.hint}>{ROLES[role].description}.</p>
    </form>
  );
}

function InvitationRow({ team, invitation }: { team: TeamDetail; invitation: Invitation }) {
  const { resend, withdraw } = useTeamActions();
  const { email, inviter, is_expired: isExpired } = invitation;
  const by = inviter === null ? "" : t("invite.by", { inviter });
  return (
    <li className={styles.row} data-testid="invitation">
      <div className={styles.who}>
        <strong>{email}</strong>
        <span>
          {ROLES[invitation.role].label}
          {by} ·{" "}
          {isExpired
            ? t("invite.expired", { expiresAt: dayOf(invitation.expires_at) })
            : t("invite.validUntil", { expiresAt: dayOf(invitation.expires_at) })}
        </span>
      </div>
      {invitation.may_change && (
        <>
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconRefresh size={15} />}
            aria-label={t("invite.send", { email })}
            onClick={() => void resend(team.id, invitation.id)}
          >
            {t("sendAgain")}
          </Button>
          <ActionIcon
            aria-label={t("invite.withdraw", { email })}
            title={t("withdraw")}
            onClick={() => void withdraw(team.id, invitation.id)}
          >
            <IconX size={17} />
          </ActionIcon>
        </>
      )}
    </li>
  );
}
