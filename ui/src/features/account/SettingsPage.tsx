import { Alert, Button, Group, Tabs, Title } from "@mantine/core";
import { Suspense } from "react";
import { useSearchParams } from "react-router";
import { useSWRConfig } from "swr";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/account";
import { EmptyState } from "../../platform/page/EmptyState";
import { usePageTitle } from "../../platform/page/usePageTitle";
import { useSession } from "../../domain/person/session";
import { MinutesLink } from "../ledger/MinutesLink";
import { useTeamActions } from "../teams/data";
import { IdentitiesSection } from "./IdentitiesSection";
import { SecondFactorSection } from "./SecondFactorSection";
import { PasskeysSection } from "./PasskeysSection";
import { PasswordSection } from "./PasswordSection";
import { ProfileSection } from "./ProfileSection";
import styles from "./account.module.css";
import { part } from "../../platform/failure/Later";

const DevicesSection = part(() => import("./DevicesSection"));
const ApiKeysSection = part(() => import("./apiKeys/ApiKeysSection"));
const DataSection = part(() => import("./DataSection"));
const WebhooksSection = part(() => import("../webhooks/WebhooksSection"));
const LogSection = part(() => import("./LogSection"));

const SECTIONS = [
  { value: "profile", label: t("profile") },
  { value: "password", label: t("password") },
  { value: "devices", label: t("devices") },
  { value: "keys", label: t("apiKeys") },
  { value: "webhooks", label: t("webhooks") },
  { value: "data", label: t("yourData") },
  { value: "log", label: t("accountLog") },
];

/** Everything about one's own account. The section is part of the address. */
export default function SettingsPage() {
  usePageTitle(t("settings"));
  const { user } = useSession();
  const [params, setParams] = useSearchParams();
  const wanted = params.get("section");
  const section = SECTIONS.some(({ value }) => value === wanted) ? wanted : "profile";
  const { leave } = useTeamActions();
  const { mutate } = useSWRConfig();
  if (!user) return <EmptyState />;
  const asking = user.teams.filter(({ id }) => user.factor_teams.includes(id));
  return (
    <div className={styles.settings}>
      <Group justify="space-between">
        <Title order={1}>{t("settings")}</Title>
        <MinutesLink />
      </Group>
      {user.must_add_factor && (
        <Alert color="yellow" role="status">
          {asking.length === 0
            ? t("factor.required")
            : t("factor.requiredByTeam", { teams: asking.map(({ name }) => name).join(", ") })}
          {asking.map(({ id, name }) => (
            <Button
              key={id}
              size="compact-sm"
              variant="subtle"
              onClick={() => void leave(id).then(() => mutate(keys.user))}
            >
              {t("factor.leaveTeam", { name })}
            </Button>
          ))}
        </Alert>
      )}
      <Tabs
        value={section}
        keepMounted={false}
        onChange={(value) => setParams(value === null ? {} : { section: value }, { replace: true })}
      >
        <Tabs.List className={styles.tabs}>
          {SECTIONS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Suspense fallback={<div className={`skeleton ${styles.waiting}`} />}>
          <Tabs.Panel value="profile" pt="lg">
            <ProfileSection user={user} />
          </Tabs.Panel>
          <Tabs.Panel value="password" pt="lg">
            <div className={styles.cards}>
              <PasswordSection user={user} />
              <PasskeysSection user={user} />
              <SecondFactorSection user={user} />
              <IdentitiesSection user={user} />
            </div>
          </Tabs.Panel>
          <Tabs.Panel value="devices" pt="lg">
            <DevicesSection />
          </Tabs.Panel>
          <Tabs.Panel value="keys" pt="lg">
            <ApiKeysSection />
          </Tabs.Panel>
          <Tabs.Panel value="webhooks" pt="lg">
            <WebhooksSection />
          </Tabs.Panel>
          <Tabs.Panel value="data" pt="lg">
            <DataSection user={user} />
          </Tabs.Panel>
          <Tabs.Panel value="log" pt="lg">
            <LogSection />
          </Tabs.Panel>
        </Suspense>
      </Tabs>
    </div>
  );
}
