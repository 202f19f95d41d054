/** Webhooks of a person or of a team, on the server. */
import useSWR, { useSWRConfig } from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys, staleBy } from "../../platform/api/keys";
import { t } from "../../platform/messages/account";
import { toast } from "../../platform/notices/toast";

export type Webhook = Schemas["WebhookOut"];
export type WebhookWithSecret = Schemas["WebhookWithSecret"];
export type WebhookChange = Schemas["WebhookChange"];
export type Delivery = Schemas["DeliveryOut"];
export type EventKind = Schemas["EventOut"];
export type EventType = Schemas["EventType"];

export const DELIVERIES_PER_PAGE = 10;
/** While a message is on its way, its delivery is fetched again this often. */
const WAITING_MS = 1_500;
/** A retry hours from now is nothing to wait for. */
const SOON_MS = 15_000;
/** An attempt that is under way ends within this. */
const ATTEMPT_MS = 70_000;

const isSoon = ({ next_attempt_at: next, attempted_at: last }: Delivery): boolean =>
  next !== null &&
  (Date.parse(next) - Date.now() < SOON_MS ||
    (last !== null && Date.now() - Date.parse(last) < ATTEMPT_MS));

const of = (webhook_id: string) => ({ params: { path: { webhook_id } } });

export const useWebhooks = (team?: string) =>
  useSWR<Webhook[], Error>(
    keys.webhookList(team),
    async () =>
      (await unwrap(api.GET("/api/webhooks", { params: { query: { team_id: team } } }))).data,
  );

export const useEventKinds = () =>
  useSWR<EventKind[], Error>(
    keys.webhookEvents,
    async () => (await unwrap(api.GET("/api/webhooks/events"))).data,
  );

export const useDeliveries = (webhook_id: string, page: number) =>
  useSWR<{ data: Delivery[]; meta: Schemas["PageMeta"] }, Error>(
    keys.deliveries(webhook_id, page),
    async () =>
      unwrap(
        api.GET("/api/webhooks/{webhook_id}/deliveries", {
          params: { path: { webhook_id }, query: { page, per_page: DELIVERIES_PER_PAGE } },
        }),
      ),
    {
      keepPreviousData: true,
      refreshInterval: (held) => (held?.data.some(isSoon) ? WAITING_MS : 0),
    },
  );

export const addWebhook = async (body: Schemas["NewWebhook"]): Promise<WebhookWithSecret> =>
  (await unwrap(api.POST("/api/webhooks", { body }))).data;

export async function changeWebhook(id: string, body: WebhookChange): Promise<void> {
  await unwrap(api.PATCH("/api/webhooks/{webhook_id}", { ...of(id), body }));
}

/** Calls on one webhook. Each shows what the server says when it fails, and fetches what it changed. */
export function useWebhookActions() {
  const { mutate } = useSWRConfig();
  const refresh = () => mutate(staleBy(keys.webhooks));
  async function attempt<T>(call: () => Promise<T>, done?: string): Promise<T | undefined> {
    try {
      const answer = await call();
      if (done !== undefined) toast("success", done);
      return answer;
    } catch (error) {
      toast("error", (error as Error).message);
      return undefined;
    } finally {
      await refresh();
    }
  }
  return {
    refresh,
    turn: (id: string, on: boolean) =>
      attempt(
        () => changeWebhook(id, { is_enabled: on }),
        on ? t("webhooks.on.done") : t("webhooks.off.done"),
      ),
    remove: (id: string) =>
      attempt(
        () => unwrap(api.DELETE("/api/webhooks/{webhook_id}", of(id))),
        t("webhooks.delete.done"),
      ),
    renew: (id: string) =>
      attempt(
        async () => (await unwrap(api.POST("/api/webhooks/{webhook_id}/secret", of(id)))).data,
      ),
    test: (id: string) =>
      attempt(() => unwrap(api.POST("/api/webhooks/{webhook_id}/test", of(id)))),
    resend: (webhook_id: string, delivery_id: string) =>
      attempt(() =>
        unwrap(
          api.POST("/api/webhooks/{webhook_id}/deliveries/{delivery_id}/resend", {
            params: { path: { webhook_id, delivery_id } },
          }),
        ),
      ),
  };
}
