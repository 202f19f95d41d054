import { Menu } from "@mantine/core";
import { Link } from "react-router";
import { useActiveTeam } from "../../domain/teams/activeTeam";
import { t } from "../../platform/messages/shell";
import { PERSONAL } from "../../domain/person/navigation";
import { IconSettings, IconUser, IconUsersGroup } from "../../platform/theme/icons";
import styles from "./default.module.css";

/** The items of a menu that choose whom one works for. Nothing for people without teams. */
export function TeamChoice({ withLink = false }: { withLink?: boolean }) {
  const { team, teams, mayBePersonal, choose } = useActiveTeam();
  if (teams.length === 0) return null;
  return (
    <>
      <Menu.Label>{t("page.workFor")}</Menu.Label>
      <Menu.RadioGroup
        value={team?.id ?? PERSONAL}
        onChange={(id) => void choose(id === PERSONAL ? undefined : id)}
      >
        {mayBePersonal && (
          <Menu.RadioItem value={PERSONAL} closeMenuOnClick rightSection={<IconUser size={16} />}>
            {t("page.personal")}
          </Menu.RadioItem>
        )}
        {teams.map(({ id, name }) => (
          <Menu.RadioItem
            key={id}
            value={id}
            closeMenuOnClick
            rightSection={<IconUsersGroup size={16} />}
          >
            <span className={styles.teamName} title={name}>
              {name}
            </span>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      <Menu.Divider />
      {withLink && (
        <Menu.Item component={Link} to="/teams" leftSection={<IconSettings size={16} />}>
          {t("page.manageTeams")}
        </Menu.Item>
      )}
    </>
  );
}
