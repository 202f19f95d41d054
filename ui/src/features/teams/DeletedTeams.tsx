import { Button, Title } from "@mantine/core";
import { t } from "../../platform/messages/teams";
import { dayOf } from "../../platform/i18n/days";
import { useTeamActions, type TeamListed } from "./data";
import styles from "./teams.module.css";

interface Props {
  teams: TeamListed[];
  onRestored: (id: string) => void;
}

/** Teams that their owner may still bring back. */
export function DeletedTeams({ teams, onRestored }: Props) {
  const { restore } = useTeamActions();
  return (
    <section aria-labelledby="deleted-teams" className={styles.deleted}>
      <Title order={2} id="deleted-teams">
        {t("recentlyDeleted")}
      </Title>
      <ul className={`card ${styles.rows}`}>
        {teams.map((team) => (
          <li key={team.id} className={styles.row}>
            <div className={styles.who}>
              <strong>{team.name}</strong>
              <span>
                {t("restorable", { restorableUntil: dayOf(team.restorable_until ?? "") })}
              </span>
            </div>
            <Button
              size="xs"
              variant="light"
              aria-label={t("restore.named", { teamName: team.name })}
              onClick={() => void restore(team.id).then((done) => done && onRestored(team.id))}
            >
              {t("restore")}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
