import { Button, Group, Text, Title } from "@mantine/core";
import { useState } from "react";
import { EmptyState } from "../../../layouts/EmptyState";
import { IconPlus } from "../../../theme/icons";
import { useActiveTeam } from "../../teams/activeTeam";
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
        title="Your API keys could not be loaded"
        description={error.message}
        add={{ label: "Try again", contentType: "key", onAdd: () => void mutate() }}
      />
    );
  }
  return (
    <section className={`card ${accountStyles.card}`} aria-labelledby="keys-title">
      <Group justify="space-between" align="start">
        <Title order={2} id="keys-title">
          API keys
        </Title>
        <Button leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)}>
          New key
        </Button>
      </Group>
      <Text className="quiet">
        With a key, a program can use your account without your password. The speech API takes the
        calls of OpenAI&apos;s clients: give them the address{" "}
        <code>{globalThis.location.origin}/v1</code> and a key.
      </Text>
      {keys.length === 0 ? (
        <Text>
          There are no keys yet. Make one for each program, so that you can revoke it alone.
        </Text>
      ) : (
        <ul className={accountStyles.rows} aria-label="API keys">
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
