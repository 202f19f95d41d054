import { Title } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../../../platform/messages/admin";
import { ROLES } from "../../teams/data";
import { useMembers, type AdminUserDetail } from "./data";
import styles from "./users.module.css";

/** The teams of the account, and who else is in them. */
export function MembersCard({ user }: { user: AdminUserDetail }) {
  const { data: members, error } = useMembers(user.id);
  return (
    <section className={`card ${styles.section}`} aria-labelledby="teams">
      <Title order={2} id="teams">
        {t("users.teams")}
      </Title>
      {user.team_list.length === 0 && <p className="quiet">{t("users.teams.none")}</p>}
      {error !== undefined && (
        <p role="alert" className="danger-text">
          {error.message}
        </p>
      )}
      {user.team_list.map((team) => (
        <div key={team.id}>
          <strong>{team.name}</strong>{" "}
          <span className="quiet">
            {ROLES[team.role].label}
            {team.is_payer && t("users.paysToo")}
            {" · "}
            {t("users.members", { members: team.members })}
          </span>
          <ul
            className={styles.rows}
            aria-label={t("users.teams.members", { teamName: team.name })}
          >
            {members
              ?.filter(({ team_id, id }) => team_id === team.id && id !== user.id)
              .map((member) => (
                <li key={member.id}>
                  <span>
                    <Link to={`/admin/users/${member.id}`}>{member.name}</Link>{" "}
                    <span className="quiet">{member.email}</span>
                  </span>
                  <span className="quiet">{ROLES[member.role].label}</span>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
