import { Badge, Button, Group, Loader, Text } from "@mantine/core";
import { useState } from "react";
import { t } from "../../platform/messages/account";
import { timeOf } from "../../platform/i18n/days";
import {
  DELIVERIES_PER_PAGE,
  useDeliveries,
  useWebhookActions,
  type Delivery,
  type Webhook,
} from "./data";
import styles from "./webhooks.module.css";

const STATES: Record<Delivery["state"], { label: string; color: string }> = {
  waiting: { label: t("webhooks.waiting"), color: "yellow" },
  delivered: { label: t("webhooks.delivered"), color: "teal" },
  failed: { label: t("webhooks.failed"), color: "red" },
};

/** What was sent to a webhook in the last 30 days, the newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const [page, setPage] = useState(1);
  const { data, error, mutate } = useDeliveries(webhook.id, page);
  if (data === undefined) {
    return error === undefined ? (
      <Loader size="sm" aria-label={t("webhooks.loading")} />
    ) : (
      <Text role="alert" size="sm">
        {error.message}{" "}
        <Button size="compact-xs" onClick={() => void mutate()}>
          {t("webhooks.tryAgain")}
        </Button>
      </Text>
    );
  }
  if (data.data.length === 0) {
    return (
      <Text className="quiet" size="sm">
        {t("webhooks.sent.none")}
      </Text>
    );
  }
  const pages = Math.max(1, Math.ceil(data.meta.total / DELIVERIES_PER_PAGE));
  return (
    <>
      <ol className={styles.deliveries} aria-label={t("webhooks.deliveries")} aria-live="polite">
        {data.data.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} webhook={webhook} />
        ))}
      </ol>
      {pages > 1 && (
        <Group justify="space-between">
          <Button
            size="xs"
            variant="default"
            disabled={page === 1}
            onClick={() => setPage(page - 1)}
          >
            {t("webhooks.newer")}
          </Button>
          <Text className="quiet" size="sm">
            {t("webhooks.page", { page, pages })}
          </Text>
          <Button
            size="xs"
            variant="default"
            disabled={page >= pages}
            onClick={() => setPage(page + 1)}
          >
            {t("webhooks.older")}
          </Button>
        </Group>
      )}
    </>
  );
}

function DeliveryRow({ delivery, webhook }: { delivery: Delivery; webhook: Webhook }) {
  const { resend } = useWebhookActions();
  const [busy, setBusy] = useState(false);
  const { state, event, error, attempts, next_attempt_at: next } = delivery;
  const { label, color } = STATES[state];
  const mayResend = webhook.is_enabled && (state !== "waiting" || attempts > 0);
  const facts = [
    timeOf(delivery.created_at),
    delivery.status_code === null
      ? ""
      : t("webhooks.sent.status", { statusCode: delivery.status_code }),
    delivery.duration_ms === null
      ? ""
      : t("webhooks.sent.duration", { durationMs: delivery.duration_ms }),
    attempts > 1 ? t("webhooks.sent.attempts", { attempts }) : "",
    state === "waiting" && attempts > 0 && next !== null
      ? t("webhooks.nextNext", { next: timeOf(next) })
      : "",
  ].filter((fact) => fact !== "");
  return (
    <li className={styles.delivery} data-testid="delivery">
      <div className={styles.deliveryFacts}>
        <p>
          <Badge variant="light" color={color}>
            {label}
          </Badge>{" "}
          <code>{event}</code>
        </p>
        <p className="quiet">{facts.join(" · ")}</p>
        {error !== null && <p>{error}</p>}
        <details>
          <summary>{t("webhooks.message")}</summary>
          <pre tabIndex={0} aria-label={t("webhooks.sent.id", { messageId: delivery.message_id })}>
            {delivery.message_id}
            {"\n"}
            {JSON.stringify(delivery.body, null, 2)}
          </pre>
        </details>
      </div>
      {mayResend && (
        <Button
          size="xs"
          variant="default"
          loading={busy}
          aria-label={t("webhooks.sent.again", {
            event,
            createdAt: timeOf(delivery.created_at),
          })}
          onClick={() => {
            setBusy(true);
            void resend(webhook.id, delivery.id).finally(() => setBusy(false));
          }}
        >
          {t("webhooks.sendAgain")}
        </Button>
      )}
    </li>
  );
}
