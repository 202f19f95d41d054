import { Alert, Button, Group, Loader, Tabs, Title } from "@mantine/core";
import { Suspense } from "react";
import { useSearchParams } from "react-router";
import { t } from "../../platform/messages/teams";
import { MinutesLink } from "../ledger/MinutesLink";
import { useActiveTeam } from "../../domain/teams/activeTeam";
import { ROLES, useTeam } from "./data";
import { Invitations } from "./Invitations";
import { Members } from "./Members";
import { TeamLog } from "./TeamLog";
import { TeamSettings } from "./TeamSettings";
import styles from "./teams.module.css";
import { part } from "../../platform/failure/Later";

const WebhooksSection = part(() => import("../webhooks/WebhooksSection"));

/** All about one team. The URL may name the section to open. */
export function TeamPanel({ id }: { id: string }) {
  const { data: team, error, mutate } = useTeam(id);
  const active = useActiveTeam();
  const [params] = useSearchParams();
  if (team === undefined) {
    return error === undefined ? (
      <Loader m="xl" aria-label={t("loading")} />
    ) : (
      <Alert color="red" role="alert" className={styles.problem}>
        {error.message}{" "}
        <Button size="compact-sm" onClick={() => void mutate()}>
          {t("tryAgain")}
        </Button>
      </Alert>
    );
  }
  const mayChange = team.role !== "viewer";
  const isActive = active.team?.id === id;
  return (
    <section aria-labelledby="team-name" className={styles.panel}>
      <header className={styles.panelHead}>
        <div>
          <Title order={2} id="team-name">
            {team.name}
          </Title>
          <p className="quiet">
            {t("role.yours", {
              roleLabel: ROLES[team.role].label,
              description: ROLES[team.role].description,
            })}
          </p>
        </div>
        <Group gap="xs">
          <MinutesLink whose={{ team: id }} />
          {isActive ? (
            <span className={styles.working}>{t("work.current")}</span>
          ) : (
            <Button variant="light" onClick={() => void active.choose(id)}>
              {t("work.start")}
            </Button>
          )}
        </Group>
      </header>
      <Tabs
        defaultValue={mayChange && params.get("section") === "webhooks" ? "webhooks" : "people"}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="people">{t("people")}</Tabs.Tab>
          <Tabs.Tab value="settings">{t("settings")}</Tabs.Tab>
          {mayChange && <Tabs.Tab value="webhooks">{t("webhooks")}</Tabs.Tab>}
          <Tabs.Tab value="log">{t("accountLog")}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="people" pt="lg" className={styles.tab}>
          {team.roles_to_give.length > 0 && <Invitations team={team} />}
          <Members team={team} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" pt="lg" className={styles.tab}>
          <TeamSettings team={team} />
        </Tabs.Panel>
        {mayChange && (
          <Tabs.Panel value="webhooks" pt="lg">
            <Suspense fallback={<Loader aria-label={t("loading")} />}>
              <WebhooksSection team={id} />
            </Suspense>
          </Tabs.Panel>
        )}
        <Tabs.Panel value="log" pt="lg" className={styles.tab}>
          <TeamLog id={id} />
        </Tabs.Panel>
      </Tabs>
    </section>
  );
}
