import { ActionIcon, Avatar, Badge, Select, Title, Tooltip } from "@mantine/core";
import { useState } from "react";
import { usePublicConfig } from "../../platform/api/publicConfig";
import { t } from "../../platform/messages/teams";
import { IconTrash } from "../../platform/theme/icons";
import { useSession } from "../../domain/person/session";
import { ROLES, useTeamActions, type Member, type Role, type TeamDetail } from "./data";
import { Question } from "../../platform/page/Question";
import styles from "./teams.module.css";

const ROLE_OPTIONS = Object.entries(ROLES).map(([value, { label }]) => ({ value, label }));

export function Members({ team }: { team: TeamDetail }) {
  const [removed, setRemoved] = useState<Member>();
  const { removeMember } = useTeamActions();
  return (
    <section aria-labelledby="members">
      <Title order={3} id="members" mb="xs">
        {t("members")}
      </Title>
      <ul className={`card ${styles.rows}`}>
        {team.people.map((member) => (
          <MemberRow key={member.user_id} team={team} member={member} onRemove={setRemoved} />
        ))}
      </ul>
      <Question
        opened={removed !== undefined}
        title={t("member.remove", {
          removedName: removed?.name ?? "",
          teamName: team.name,
        })}
        verb={t("remove")}
        onClose={() => setRemoved(undefined)}
        onConfirm={() => removeMember(team.id, removed?.user_id ?? "")}
      >
        {t("member.removeAbout")}
      </Question>
    </section>
  );
}

interface RowProps {
  team: TeamDetail;
  member: Member;
  onRemove: (member: Member) => void;
}

function MemberRow({ team, member, onRemove }: RowProps) {
  const you = useSession().user?.id === member.user_id;
  const { changeRole } = useTeamActions();
  const isPaid = usePublicConfig()?.billing != null;
  const [busy, setBusy] = useState(false);
  const owns = team.role === "owner";
  const change = async (role: string | null) => {
    if (role === null || role === member.role) return;
    setBusy(true);
    await changeRole(team.id, member.user_id, role as Role);
    setBusy(false);
  };
  return (
    <li className={styles.row} data-testid="member">
      <Avatar size={34} name={member.name} color="spruce" alt="" />
      <div className={styles.who}>
        <strong>
          {member.name}
          {you && <span className={styles.you}> {t("you")}</span>}
        </strong>
        <span>{member.email}</span>
      </div>
      {member.is_payer && isPaid && (
        <Tooltip label={t("member.payerAbout")}>
          <Badge variant="light" color="teal" className={styles.badge}>
            {t("pays")}
          </Badge>
        </Tooltip>
      )}
      {owns ? (
        <Select
          aria-label={t("member.role", { memberName: member.name })}
          size="xs"
          w={108}
          data={ROLE_OPTIONS}
          value={member.role}
          allowDeselect={false}
          disabled={busy}
          onChange={(role) => void change(role)}
        />
      ) : (
        <span className={styles.role}>{ROLES[member.role].label}</span>
      )}
      {owns && (
        <ActionIcon
          aria-label={t("member.removeNamed", { memberName: member.name })}
          title={t("member.removeNamed", { memberName: member.name })}
          disabled={you}
          onClick={() => onRemove(member)}
        >
          <IconTrash size={17} />
        </ActionIcon>
      )}
    </li>
  );
}
