/** API keys on the server, and what their scopes mean. */
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../../api/client";
import { keys } from "../../../api/keys";

export type ApiKey = Schemas["ApiKeyOut"];
export type MadeKey = Schemas["MadeApiKey"];
export type Scope = Schemas["Scope"];

export const SCOPES: { value: Scope; label: string; description: string }[] = [
  {
    value: "transcribe",
    label: "Transcribe",
    description: "Send sound to the speech API and get its text",
  },
  { value: "files:read", label: "Read files", description: "List files and read their state" },
  { value: "files:write", label: "Add files", description: "Add, change and delete files" },
  {
    value: "captions:read",
    label: "Read captions",
    description: "Read captions and download them",
  },
  { value: "captions:write", label: "Change captions", description: "Edit and translate captions" },
  { value: "webhooks", label: "Webhooks", description: "Set up where events are sent" },
];

export const scopeNames = (scopes: Scope[]): string =>
  SCOPES.filter(({ value }) => scopes.includes(value))
    .map(({ label }) => label)
    .join(", ");

export const EXPIRES = [
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
  { value: "", label: "Never" },
];

export const useApiKeys = () =>
  useSWR<ApiKey[], Error>(keys.apiKeys, async () => (await unwrap(api.GET("/api/keys"))).data);

export const makeKey = async (body: Schemas["NewApiKey"]): Promise<MadeKey> =>
  (await unwrap(api.POST("/api/keys", { body }))).data;

export async function revokeKey(key_id: string): Promise<void> {
  await unwrap(api.DELETE("/api/keys/{key_id}", { params: { path: { key_id } } }));
}
