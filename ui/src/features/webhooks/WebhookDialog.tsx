import { Button, Checkbox, Group, Loader, Modal, Text, TextInput } from "@mantine/core";
import { useState, type FormEvent } from "react";
import { ApiError } from "../../platform/api/client";
import { t } from "../../platform/messages/account";
import {
  addWebhook,
  changeWebhook,
  useEventKinds,
  useWebhookActions,
  type EventType,
  type Webhook,
  type WebhookWithSecret,
} from "./data";
import styles from "./webhooks.module.css";

interface Props {
  team?: string;
  /** The webhook to change; a new one when unset. */
  webhook?: Webhook;
  onClose: () => void;
  onAdded?: (webhook: WebhookWithSecret) => void;
}

/** What the form still lacks, by field. */
function missingOf(url: string, chosen: readonly EventType[]): ApiError | undefined {
  const fields: Record<string, string[]> = {};
  if (url.trim() === "") fields.url = [t("webhooks.address.missing")];
  if (chosen.length === 0) fields.events = [t("webhooks.chooseAnEvent")];
  const [first] = Object.values(fields);
  return first?.[0] === undefined ? undefined : new ApiError(422, first[0], fields);
}

/** The address, name and events of a webhook. */
export function WebhookDialog({ team, webhook, onClose, onAdded }: Props) {
  const kinds = useEventKinds();
  const { refresh } = useWebhookActions();
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [name, setName] = useState(webhook?.name ?? "");
  const [chosen, setChosen] = useState<readonly EventType[]>(webhook?.events ?? []);
  const [problem, setProblem] = useState<ApiError>();
  const [busy, setBusy] = useState(false);
  const types = kinds.data?.map(({ type }) => type) ?? [];
  const isEvery = types.length > 0 && chosen.length === types.length;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    const missing = missingOf(url, chosen);
    if (missing !== undefined) {
      setProblem(missing);
      return;
    }
    setBusy(true);
    setProblem(undefined);
    const body = { url, name, events: [...chosen] };
    try {
      if (webhook === undefined) onAdded?.(await addWebhook({ ...body, team_id: team ?? null }));
      else await changeWebhook(webhook.id, body);
      await refresh();
      onClose();
    } catch (error) {
      setProblem(error instanceof ApiError ? error : new ApiError(0, (error as Error).message));
      setBusy(false);
    }
  };
  const fields = problem?.fields ?? {};
  const isOfForm =
    problem !== undefined &&
    [fields.url, fields.name, fields.events].every((field) => field === undefined);
  return (
    <Modal
      opened
      onClose={onClose}
      title={webhook === undefined ? t("webhooks.add.title") : t("webhooks.change.title")}
    >
      <form className={styles.form} noValidate onSubmit={(event) => void save(event)}>
        <TextInput
          label={t("webhooks.address")}
          type="url"
          placeholder="https://example.com/webhooks"
          data-autofocus
          autoComplete="off"
          value={url}
          error={fields.url?.[0]}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <TextInput
          label={t("webhooks.name")}
          description={t("webhooks.owner.you")}
          value={name}
          error={fields.name?.[0]}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <fieldset className={styles.events}>
          <legend>{t("webhooks.events")}</legend>
          {kinds.data === undefined ? (
            kinds.error === undefined ? (
              <Loader size="sm" aria-label={t("webhooks.loading")} />
            ) : (
              <Text role="alert" size="sm">
                {kinds.error.message}{" "}
                <Button size="compact-xs" onClick={() => void kinds.mutate()}>
                  {t("webhooks.tryAgain")}
                </Button>
              </Text>
            )
          ) : (
            <>
              <Checkbox
                label={t("webhooks.allEvents")}
                checked={isEvery}
                indeterminate={!isEvery && chosen.length > 0}
                onChange={() => setChosen(isEvery ? [] : types)}
              />
              {kinds.data.map(({ type, description }) => (
                <Checkbox
                  key={type}
                  label={<code>{type}</code>}
                  description={description}
                  checked={chosen.includes(type)}
                  onChange={({ currentTarget }) =>
                    setChosen(
                      currentTarget.checked
                        ? [...chosen, type]
                        : chosen.filter((other) => other !== type),
                    )
                  }
                />
              ))}
            </>
          )}
        </fieldset>
        {fields.events !== undefined && (
          <Text role="alert" c="var(--danger)" size="sm">
            {fields.events[0]}
          </Text>
        )}
        {isOfForm && (
          <Text role="alert" c="var(--danger)" size="sm">
            {problem.message}
          </Text>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("webhooks.cancel")}
          </Button>
          <Button type="submit" loading={busy}>
            {webhook === undefined ? t("webhooks.add") : t("webhooks.save")}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
