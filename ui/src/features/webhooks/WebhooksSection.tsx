import { Anchor, Button, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/account";
import { EmptyState } from "../../platform/page/EmptyState";
import { IconPlus } from "../../platform/theme/icons";
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
        title={t("webhooks.loadFailed")}
        description={error.message}
        add={{ label: t("webhooks.tryAgain"), contentType: "webhook", onAdd: () => void mutate() }}
      />
    );
  }
  const whose = team === undefined ? t("webhooks.owner.yours") : t("webhooks.owner.teams");
  return (
    <section className={styles.section} aria-label={t("webhooks.webhooks")}>
      <header className={styles.head}>
        <Text className="quiet">
          {t.rich("webhooks.about", {
            whose,
            link: (parts) => <Anchor href="https://www.standardwebhooks.com">{parts}</Anchor>,
          })}
        </Text>
        {webhooks.length > 0 && (
          <Button leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)}>
            {t("webhooks.add.title")}
          </Button>
        )}
      </header>
      {fresh !== undefined && <SecretNotice webhook={fresh} onClose={() => setFresh(undefined)} />}
      {webhooks.length === 0 ? (
        <EmptyState
          loading={false}
          title={t("webhooks.empty.title")}
          description={t("webhooks.empty.about")}
          hero="listening"
          add={{
            label: t("webhooks.add.title"),
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
