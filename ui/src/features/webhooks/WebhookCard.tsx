import { ActionIcon, Badge, Button, Menu, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/account";
import { IconDots } from "../../platform/theme/icons";
import { timeOf } from "../../platform/i18n/days";
import { Question } from "../../platform/page/Question";
import { useWebhookActions, type Webhook, type WebhookWithSecret } from "./data";
import { Deliveries } from "./Deliveries";
import { WebhookDialog } from "./WebhookDialog";
import styles from "./webhooks.module.css";

interface Props {
  webhook: Webhook;
  onSecret: (webhook: WebhookWithSecret) => void;
}

type Asked = "change" | "secret" | "off" | "delete";

/** One webhook: where it goes, how it does, and what was sent. */
export function WebhookCard({ webhook, onSecret }: Props) {
  const { id, url, name, events, is_enabled: isOn, problem, last_attempt_at: last } = webhook;
  const actions = useWebhookActions();
  const [asked, setAsked] = useState<Asked>();
  const [open, setOpen] = useState(false);
  const [testing, setTesting] = useState(false);
  const close = () => setAsked(undefined);
  const title = name === "" ? url : name;
  const test = async () => {
    setTesting(true);
    if ((await actions.test(id)) !== undefined) setOpen(true);
    setTesting(false);
  };
  return (
    <li className={`card ${styles.card}`} data-testid="webhook">
      <div className={styles.top}>
        <div className={styles.facts}>
          <p className={styles.title}>
            <strong>{title}</strong> <State webhook={webhook} />
          </p>
          {name !== "" && <p className={`quiet ${styles.url}`}>{url}</p>}
          <p className={`quiet ${styles.types}`}>{events.join(", ")}</p>
          <p className={`quiet ${styles.types}`}>
            {last === null
              ? t("webhooks.sent.nothing")
              : t("webhooks.sent.last", { last: timeOf(last) })}
            {webhook.last_error !== null && ` · ${webhook.last_error}`}
          </p>
        </div>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={t("webhooks.menu.label", { title })}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => setAsked("change")}>{t("webhooks.change")}</Menu.Item>
            <Menu.Item onClick={() => setAsked("secret")}>{t("webhooks.newSecret")}</Menu.Item>
            {isOn && <Menu.Item onClick={() => setAsked("off")}>{t("webhooks.turnOff")}</Menu.Item>}
            <Menu.Item color="red" onClick={() => setAsked("delete")}>
              {t("webhooks.delete")}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {problem !== null && (
        <Text size="sm" c="var(--danger)">
          {problem}
        </Text>
      )}
      <div className={styles.tools}>
        {isOn ? (
          <Button size="xs" variant="light" loading={testing} onClick={() => void test()}>
            {t("webhooks.test.send")}
          </Button>
        ) : (
          <Button size="xs" variant="light" onClick={() => void actions.turn(id, true)}>
            {t("webhooks.turnOn")}
          </Button>
        )}
        <Button size="xs" variant="subtle" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t("webhooks.hideDeliveries") : t("webhooks.showDeliveries")}
        </Button>
      </div>
      {open && <Deliveries webhook={webhook} />}
      {asked === "change" && <WebhookDialog webhook={webhook} onClose={close} />}
      <Question
        opened={asked === "secret"}
        title={t("webhooks.secret.question")}
        verb={t("webhooks.makeSecret")}
        onClose={close}
        onConfirm={async () => {
          const renewed = await actions.renew(id);
          if (renewed !== undefined) onSecret(renewed);
        }}
      >
        {t("webhooks.secret.about")}
      </Question>
      <Question
        opened={asked === "off"}
        title={t("webhooks.off.question")}
        verb={t("webhooks.turnOff")}
        onClose={close}
        onConfirm={() => actions.turn(id, false)}
      >
        {t("webhooks.off.about")}
      </Question>
      <Question
        opened={asked === "delete"}
        title={t("webhooks.delete.question")}
        verb={t("webhooks.delete")}
        onClose={close}
        onConfirm={() => actions.remove(id)}
      >
        {t("webhooks.delete.about")}
      </Question>
    </li>
  );
}

function State({ webhook }: { webhook: Webhook }) {
  if (!webhook.is_enabled) {
    return (
      <Badge variant="light" color="gray">
        {t("webhooks.off")}
      </Badge>
    );
  }
  return webhook.failing_since === null ? null : (
    <Badge variant="light" color="red">
      {t("webhooks.failing")}
    </Badge>
  );
}
