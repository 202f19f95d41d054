import { UnstyledButton } from "@mantine/core";
import { t } from "../../platform/messages/teams";
import { ROLES, type TeamListed } from "./data";
import styles from "./teams.module.css";

interface Props {
  teams: TeamListed[];
  selected: string;
  onSelect: (id: string) => void;
}

export function TeamList({ teams, selected, onSelect }: Props) {
  return (
    <nav aria-label={t("yourTeams")} className={styles.list}>
      <ul>
        {teams.map((team) => (
          <li key={team.id}>
            <UnstyledButton
              className={styles.listItem}
              aria-current={team.id === selected || undefined}
              onClick={() => onSelect(team.id)}
            >
              <strong>{team.name}</strong>
              <span>
                {ROLES[team.role].label} · {t("member.count", { members: team.members })}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </nav>
  );
}
