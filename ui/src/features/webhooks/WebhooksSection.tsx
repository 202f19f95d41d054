import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { EmptyState } from "../../layouts/EmptyState";
import { IconPlus } from "../../theme/icons";
import { useWebhooks, type WebhookWithSecret } from "./data";
import { SecretNotice } from "./SecretNotice";
import { WebhookCard } from "./WebhookCard";
import { WebhookDialog } from "./WebhookDialog";
import styles from "./webhooks.module.css";

/** The webhooks of a team, or one's own. */
export default function WebhooksSection({ team }: { team?: string }) {
  const { data: webhooks, error, mutate } = useWebhooks(team);
  const [adding, setAdding] = useState(false);
  const [fresh, setFresh] = useState<WebhookWithSecret>();
  if (webhooks === undefined) {
    return error === undefined ? (
      <EmptyState />
    ) : (
      <EmptyState
        loading={false}
        hero="lost"
        title="The webhooks could not be loaded"
        description={error.message}
        add={{ label: "Try again", contentType: "webhook", onAdd: () => void mutate() }}
      />
    );
  }
  const whose = team === undefined ? "your own files" : "the team’s files";
  return (
    <section className={styles.section} aria-label="Webhooks">
      <header className={styles.head}>
        <Text className="quiet">
          We send a signed message to your server when something happens to {whose}. Check the
          signature as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> describes.
        </Text>
        {webhooks.length > 0 && (
          <Button leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)}>
            Add a webhook
          </Button>
        )}
      </header>
      {fresh !== undefined && <SecretNotice webhook={fresh} onClose={() => setFresh(undefined)} />}
      {webhooks.length === 0 ? (
        <EmptyState
          loading={false}
          title="No webhooks yet"
          description="Add the address of a server, and choose what it should get."
          hero="listening"
          add={{
            label: "Add a webhook",
            contentType: "webhook",
            onAdd: () => setAdding(true),
          }}
        />
      ) : (
        <ul className={styles.list}>
          {webhooks.map((webhook) => (
            <WebhookCard key={webhook.id} webhook={webhook} onSecret={setFresh} />
          ))}
        </ul>
      )}
      {adding && <WebhookDialog team={team} onClose={() => setAdding(false)} onAdded={setFresh} />}
    </section>
  );
}
