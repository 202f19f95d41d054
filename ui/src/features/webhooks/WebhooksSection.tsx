import { Anchor, Button, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/i18n/en/webhooks";
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
        title={t("theWebhooksCouldNotBe")}
        description={error.message}
        add={{ label: t("tryAgain"), contentType: "webhook", onAdd: () => void mutate() }}
      />
    );
  }
  const whose = team === undefined ? t("yourOwnFiles") : t("theTeamsFiles");
  return (
    <section className={styles.section} aria-label={t("webhooks")}>
      <header className={styles.head}>
        <Text className="quiet">
          {t.rich("weSendASignedMessage", {
            whose,
            link: (parts) => <Anchor href="https://www.standardwebhooks.com">{parts}</Anchor>,
          })}
        </Text>
        {webhooks.length > 0 && (
          <Button leftSection={<IconPlus size={17} />} onClick={() => setAdding(true)}>
            {t("addAWebhook")}
          </Button>
        )}
      </header>
      {fresh !== undefined && <SecretNotice webhook={fresh} onClose={() => setFresh(undefined)} />}
      {webhooks.length === 0 ? (
        <EmptyState
          loading={false}
          title={t("noWebhooksYet")}
          description={t("addTheAddressOfA")}
          hero="listening"
          add={{
            label: t("addAWebhook"),
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
