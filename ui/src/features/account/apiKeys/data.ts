/** API keys on the server, and what their scopes mean. */
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/account";

export type ApiKey = Schemas["ApiKeyOut"];
export type MadeKey = Schemas["MadeApiKey"];
export type Scope = Schemas["Scope"];

export const SCOPES: { value: Scope; label: string; description: string }[] = [
  {
    value: "transcribe",
    label: t("apiKeys.transcribe"),
    description: t("apiKeys.scopes.speech"),
  },
  {
    value: "files:read",
    label: t("apiKeys.readFiles"),
    description: t("apiKeys.scopes.filesRead"),
  },
  {
    value: "files:write",
    label: t("apiKeys.addFiles"),
    description: t("apiKeys.scopes.filesWrite"),
  },
  {
    value: "captions:read",
    label: t("apiKeys.readCaptions"),
    description: t("apiKeys.scopes.captionsRead"),
  },
  {
    value: "captions:write",
    label: t("apiKeys.changeCaptions"),
    description: t("apiKeys.scopes.captionsWrite"),
  },
  { value: "webhooks", label: t("apiKeys.webhooks"), description: t("apiKeys.scopes.webhooks") },
];

export const scopeNames = (scopes: Scope[]): string =>
  SCOPES.filter(({ value }) => scopes.includes(value))
    .map(({ label }) => label)
    .join(", ");

export const EXPIRES = [
  { value: "30", label: t("apiKeys.in30Days") },
  { value: "90", label: t("apiKeys.in90Days") },
  { value: "365", label: t("apiKeys.expires.year") },
  { value: "", label: t("apiKeys.never") },
];

export const useApiKeys = () =>
  useSWR<ApiKey[], Error>(keys.apiKeys, async () => (await unwrap(api.GET("/api/keys"))).data);

export const makeKey = async (body: Schemas["NewApiKey"]): Promise<MadeKey> =>
  (await unwrap(api.POST("/api/keys", { body }))).data;

export async function revokeKey(key_id: string): Promise<void> {
  await unwrap(api.DELETE("/api/keys/{key_id}", { params: { path: { key_id } } }));
}
