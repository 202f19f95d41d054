import { Menu, UnstyledButton } from "@mantine/core";
import { useActiveTeam } from "../../domain/teams/activeTeam";
import { t } from "../../platform/messages/shell";
import { IconSelector, IconUser, IconUsersGroup } from "../../platform/theme/icons";
import { TeamChoice } from "./TeamChoice";
import styles from "./default.module.css";

/** Whom one works for: what one uploads goes there. On phones the user menu has the same choice. */
export default function TeamSwitcher() {
  const { team } = useActiveTeam();
  const name = team?.name ?? t("page.personal");
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <UnstyledButton className={styles.teamButton} aria-label={t("page.workingFor", { name })}>
          {team === undefined ? <IconUser size={17} /> : <IconUsersGroup size={17} />}
          <span>{name}</span>
          <IconSelector size={15} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <TeamChoice withLink />
      </Menu.Dropdown>
    </Menu>
  );
}
