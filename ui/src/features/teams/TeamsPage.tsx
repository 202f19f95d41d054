import { Button, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useSearchParams } from "react-router";
import { t } from "../../platform/messages/teams";
import { EmptyState } from "../../platform/page/EmptyState";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { IconPlus } from "../../platform/theme/icons";
import { useTeams } from "./data";
import { DeletedTeams } from "./DeletedTeams";
import { NewTeam } from "./NewTeam";
import { TeamList } from "./TeamList";
import { TeamPanel } from "./TeamPanel";
import styles from "./teams.module.css";

/** The person's teams, and all about the one they select. The URL names it. */
export default function TeamsPage() {
  usePageTitle(t("teams"));
  const { data: all, error, mutate } = useTeams();
  const [params, setParams] = useSearchParams();
  const [creating, create] = useDisclosure();
  const teams = all?.filter((team) => team.restorable_until === null);
  const deleted = all?.filter((team) => team.restorable_until !== null) ?? [];
  const selected = teams?.find(({ id }) => id === params.get("team")) ?? teams?.[0];
  const select = (id: string) => setParams({ team: id }, { replace: true });

  if (teams === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title={t("loadFailed")}
        description={error.message}
        add={{ label: t("tryAgain"), contentType: "team", onAdd: () => void mutate() }}
      />
    );
  }
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div>
          <Title order={1}>{t("teams")}</Title>
          <p className="quiet">{t("about")}</p>
        </div>
        {teams.length > 0 && (
          <Button leftSection={<IconPlus size={17} />} onClick={create.open}>
            {t("newTeam")}
          </Button>
        )}
      </header>
      {selected === undefined ? (
        <EmptyState
          loading={false}
          title={t("empty.title")}
          description={t("empty.about")}
          hero="listening"
          add={{ label: t("create"), contentType: "team", onAdd: create.open }}
        />
      ) : (
        <div className={styles.columns}>
          <TeamList teams={teams} selected={selected.id} onSelect={select} />
          <TeamPanel key={selected.id} id={selected.id} />
        </div>
      )}
      {deleted.length > 0 && <DeletedTeams teams={deleted} onRestored={select} />}
      <NewTeam opened={creating} onClose={create.close} onCreated={select} />
    </div>
  );
}
