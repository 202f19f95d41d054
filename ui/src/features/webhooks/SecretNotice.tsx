import { Alert, Button, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "../../theme/icons";
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
      title="Copy the secret now"
      withCloseButton
      closeButtonLabel="Hide the secret"
      onClose={onClose}
      data-testid="secret"
    >
      <p className={styles.text}>
        Your server needs it to check the messages to <span className={styles.url}>{url}</span>. It
        is not shown again.
        {former !== null && " The former secret stays valid for 24 hours."}
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
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
      </div>
    </Alert>
  );
}
