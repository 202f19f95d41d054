import useSWR from "swr";
import { send, type Schemas } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";

export type ProviderEntry = Schemas["ProviderOut"] & { provider: ProviderDraft };
export type ProviderDraft = Required<Schemas["Provider"]>;
export type ProviderChange = {
  provider: ProviderDraft;
  client_secret: string | null;
  is_enabled: boolean;
};
export type Issuer = Schemas["IssuerOut"];

const PROVIDERS = "/api/admin/providers";

export const NEW: ProviderDraft = {
  slug: "",
  name: "",
  issuer: "",
  client_id: "",
  scopes: "openid email profile",
  domains: [],
  is_required: false,
  makes_accounts: true,
  trusts_email: false,
  ends_session: true,
  groups_claim: "groups",
  admin_groups: [],
  team_groups: [],
};

export const useProviderEntries = () =>
  useSWR<ProviderEntry[], Error>(
    keys.adminList(PROVIDERS),
    async () => (await send<{ data: ProviderEntry[] }>("GET", PROVIDERS)).data,
  );

export async function saveProvider(body: ProviderChange, isNew: boolean): Promise<ProviderEntry> {
  const path = isNew ? PROVIDERS : `${PROVIDERS}/${body.provider.slug}`;
  return (await send<{ data: ProviderEntry }>(isNew ? "POST" : "PUT", path, body)).data;
}

export const removeProvider = (slug: string) => send<undefined>("DELETE", `${PROVIDERS}/${slug}`);

/** A token for the provider's SCIM calls, which the server shows once. */
export const makeToken = async (slug: string): Promise<string> =>
  (
    await send<{ data: Schemas["ProvisioningTokenOut"] }>(
      "POST",
      `${PROVIDERS}/${slug}/provisioning-token`,
    )
  ).data.token;

export const endToken = (slug: string) =>
  send<undefined>("DELETE", `${PROVIDERS}/${slug}/provisioning-token`);

/** What a provider publishes about itself. */
export const checkIssuer = async (issuer: string): Promise<Issuer> =>
  (await send<{ data: Issuer }>("POST", `${PROVIDERS}/check`, { issuer })).data;
