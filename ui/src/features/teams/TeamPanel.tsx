import { Alert, Button, Group, Loader, Tabs, Title } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useSearchParams } from "react-router";
import { MinutesLink } from "../ledger/MinutesLink";
import { useActiveTeam } from "./activeTeam";
import { ROLES, useTeam } from "./data";
import { Invitations } from "./Invitations";
import { Members } from "./Members";
import { TeamLog } from "./TeamLog";
import { TeamSettings } from "./TeamSettings";
import styles from "./teams.module.css";

const WebhooksSection = lazy(() => import("../webhooks/WebhooksSection"));

/** All about one team. The URL may name the section to open. */
export function TeamPanel({ id }: { id: string }) {
  const { data: team, error, mutate } = useTeam(id);
  const active = useActiveTeam();
  const [params] = useSearchParams();
  if (team === undefined) {
    return error === undefined ? (
      <Loader m="xl" aria-label="Loading" />
    ) : (
      <Alert color="red" role="alert" className={styles.problem}>
        {error.message}{" "}
        <Button size="compact-sm" onClick={() => void mutate()}>
          Try again
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
            Your role: {ROLES[team.role].label}. {ROLES[team.role].description}.
          </p>
        </div>
        <Group gap="xs">
          {team.is_active && <MinutesLink whose={{ team: id }} />}
          {isActive ? (
            <span className={styles.working}>You work for this team</span>
          ) : (
            team.is_active && (
              <Button variant="light" onClick={() => void active.choose(id)}>
                Work for this team
              </Button>
            )
          )}
        </Group>
      </header>
      <Tabs
        defaultValue={mayChange && params.get("section") === "webhooks" ? "webhooks" : "people"}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="people">People</Tabs.Tab>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          {mayChange && <Tabs.Tab value="webhooks">Webhooks</Tabs.Tab>}
          <Tabs.Tab value="log">Account log</Tabs.Tab>
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
            <Suspense fallback={<Loader aria-label="Loading" />}>
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
