import { Badge, Button, Group, Loader, Text } from "@mantine/core";
import { useState } from "react";
import { timeOf } from "../teams/days";
import {
  DELIVERIES_PER_PAGE,
  useDeliveries,
  useWebhookActions,
  type Delivery,
  type Webhook,
} from "./data";
import styles from "./webhooks.module.css";

const STATES: Record<Delivery["state"], { label: string; color: string }> = {
  waiting: { label: "Waiting", color: "yellow" },
  delivered: { label: "Delivered", color: "teal" },
  failed: { label: "Failed", color: "red" },
};

/** What was sent to a webhook in the last 30 days, the newest first. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const [page, setPage] = useState(1);
  const { data, error, mutate } = useDeliveries(webhook.id, page);
  if (data === undefined) {
    return error === undefined ? (
      <Loader size="sm" aria-label="Loading" />
    ) : (
      <Text role="alert" size="sm">
        {error.message}{" "}
        <Button size="compact-xs" onClick={() => void mutate()}>
          Try again
        </Button>
      </Text>
    );
  }
  if (data.data.length === 0) {
    return (
      <Text className="quiet" size="sm">
        Nothing was sent in the last 30 days. Send a test event to try it.
      </Text>
    );
  }
  const pages = Math.max(1, Math.ceil(data.meta.total / DELIVERIES_PER_PAGE));
  return (
    <>
      <ol className={styles.deliveries} aria-label="Deliveries" aria-live="polite">
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
            Newer
          </Button>
          <Text className="quiet" size="sm">
            Page {page} of {pages}
          </Text>
          <Button
            size="xs"
            variant="default"
            disabled={page >= pages}
            onClick={() => setPage(page + 1)}
          >
            Older
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
    delivery.status_code === null ? "" : `answer ${delivery.status_code}`,
    delivery.duration_ms === null ? "" : `${delivery.duration_ms} ms`,
    attempts > 1 ? `${attempts} attempts` : "",
    state === "waiting" && attempts > 0 && next !== null ? `next ${timeOf(next)}` : "",
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
          <summary>Message</summary>
          <pre tabIndex={0} aria-label={`Message ${delivery.message_id}`}>
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
          aria-label={`Send ${event} of ${timeOf(delivery.created_at)} again`}
          onClick={() => {
            setBusy(true);
            void resend(webhook.id, delivery.id).finally(() => setBusy(false));
          }}
        >
          Send again
        </Button>
      )}
    </li>
  );
}
