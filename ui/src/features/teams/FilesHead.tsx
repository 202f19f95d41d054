import { Button, Title } from "@mantine/core";
import { t as tLayouts } from "../../platform/messages/shell";
import { t } from "../../platform/messages/teams";
import { useActiveTeam } from "../../domain/teams/activeTeam";
import styles from "./owner.module.css";

/** The name of the workspace whose files follow, and the way into the others. */
export default function FilesHead() {
  const { team, teams, mayBePersonal, choose } = useActiveTeam();
  const places = [
    ...(mayBePersonal ? [{ id: undefined, name: tLayouts("page.personal") }] : []),
    ...teams.map(({ id, name }) => ({ id, name })),
  ];
  return (
    <div className={styles.head}>
      <Title order={2}>{team?.name ?? tLayouts("page.personal")}</Title>
      {places.length > 1 && (
        <div role="group" aria-label={t("workspaces")} className={styles.workspaces}>
          {places.map(({ id, name }) => (
            <Button
              key={id ?? ""}
              size="compact-sm"
              variant={id === team?.id ? "light" : "subtle"}
              aria-pressed={id === team?.id}
              maw="100%"
              onClick={() => void choose(id)}
            >
              {name}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
