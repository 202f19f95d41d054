import { Button, Group, Text, Title } from "@mantine/core";
import { useState } from "react";
import { t } from "../../../platform/messages/account";
import { EmptyState } from "../../../platform/page/EmptyState";
import { IconPlus } from "../../../platform/theme/icons";
import { useActiveTeam } from "../../../domain/teams/activeTeam";
import accountStyles from "../account.module.css";
import { KeyRow } from "./KeyRow";
import { NewKeyDialog } from "./NewKeyDialog";
import { useApiKeys } from "./data";

/** The keys by which programs act for this person, or for their teams. */
export default function ApiKeysSection() {
  const { data: keys, error, mutate } = useApiKeys();
  const { team, teams } = useActiveTeam();
  const [adding, setAdding] = useState(false);
  if (keys === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title={t("apiKeys.loadFailed")}
        description={error.message}
        add={{ label: t("apiKeys.tryAgain"), contentType: "key", onAdd: () => void mutate() }}
      />
    );
  }
  return (
    <section className={`card ${accountStyles.card}`} aria-labelledby="keys-title">
      <Group justify="space-between" align="start">
        <Title order={2} id="keys-title">
          {t("apiKeys.apiKeys")}
        </Title>
        <Button leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)}>
          {t("apiKeys.newKey")}
        </Button>
      </Group>
      <Text className="quiet">
        {t.rich("apiKeys.about", {
          origin: globalThis.location.origin,
          code: (parts) => <code>{parts}</code>,
        })}
      </Text>
      {keys.length === 0 ? (
        <Text>{t("apiKeys.empty")}</Text>
      ) : (
        <ul className={accountStyles.rows} aria-label={t("apiKeys.apiKeys")}>
          {keys.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              teamName={
                key.team_id === null ? undefined : teams.find(({ id }) => id === key.team_id)?.name
              }
              onRevoked={mutate}
            />
          ))}
        </ul>
      )}
      <NewKeyDialog
        opened={adding}
        teamName={team?.name}
        onClose={() => setAdding(false)}
        onMade={() => void mutate()}
      />
    </section>
  );
}
