import { Alert, Button, CopyButton } from "@mantine/core";
import { t } from "../../platform/messages/account";
import { IconCheck, IconCopy } from "../../platform/theme/icons";
import type { WebhookWithSecret } from "./data";
import styles from "./webhooks.module.css";

interface Props {
  webhook: WebhookWithSecret;
  onClose: () => void;
}

/** The secret of a webhook, shown once. */
export function SecretNotice({ webhook, onClose }: Props) {
  const { secret, url, former_secret_until: former } = webhook;
  return (
    <Alert
      color="teal"
      role="status"
      title={t("webhooks.secret.copy")}
      withCloseButton
      closeButtonLabel={t("webhooks.secret.hide")}
      onClose={onClose}
      data-testid="secret"
    >
      <p className={styles.text}>
        {t.rich("webhooks.secret.why", {
          url: (parts) => <span className={styles.url}>{parts}</span>,
          address: url,
        })}{" "}
        {former !== null && t("webhooks.secret.former")}
      </p>
      <div className={styles.secret}>
        <code>{secret}</code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant="light"
              onClick={copy}
              leftSection={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
            >
              {copied ? t("webhooks.copied") : t("webhooks.copy")}
            </Button>
          )}
        </CopyButton>
      </div>
    </Alert>
  );
}
