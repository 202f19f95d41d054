/** API keys on the server, and what their scopes mean. */
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";
import { t } from "../../../platform/i18n/en/apiKeys";

export type ApiKey = Schemas["ApiKeyOut"];
export type MadeKey = Schemas["MadeApiKey"];
export type Scope = Schemas["Scope"];

export const SCOPES: { value: Scope; label: string; description: string }[] = [
  {
    value: "transcribe",
    label: t("transcribe"),
    description: t("sendSoundToTheSpeech"),
  },
  { value: "files:read", label: t("readFiles"), description: t("listFilesAndReadTheir") },
  { value: "files:write", label: t("addFiles"), description: t("addChangeAndDeleteFiles") },
  {
    value: "captions:read",
    label: t("readCaptions"),
    description: t("readCaptionsAndDownloadThem"),
  },
  {
    value: "captions:write",
    label: t("changeCaptions"),
    description: t("editAndTranslateCaptions"),
  },
  { value: "webhooks", label: t("webhooks"), description: t("setUpWhereEventsAre") },
];

export const scopeNames = (scopes: Scope[]): string =>
  SCOPES.filter(({ value }) => scopes.includes(value))
    .map(({ label }) => label)
    .join(", ");

export const EXPIRES = [
  { value: "30", label: t("in30Days") },
  { value: "90", label: t("in90Days") },
  { value: "365", label: t("inAYear") },
  { value: "", label: t("never") },
];

export const useApiKeys = () =>
  useSWR<ApiKey[], Error>(keys.apiKeys, async () => (await unwrap(api.GET("/api/keys"))).data);

export const makeKey = async (body: Schemas["NewApiKey"]): Promise<MadeKey> =>
  (await unwrap(api.POST("/api/keys", { body }))).data;

export async function revokeKey(key_id: string): Promise<void> {
  await unwrap(api.DELETE("/api/keys/{key_id}", { params: { path: { key_id } } }));
}
