/** The identity providers that sign in to one's account. */
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";

export type Identity = Schemas["IdentityOut"];

export const useIdentities = () =>
  useSWR<Schemas["IdentitiesOut"], Error>(
    keys.identities,
    async () => (await unwrap(api.GET("/api/user/identities"))).data,
  );

const at = (slug: string) => ({ params: { path: { slug } } });

export const startLink = async (slug: string, password: string): Promise<Schemas["GoTo"]> =>
  (await unwrap(api.POST("/api/user/identities/{slug}", { ...at(slug), body: { password } }))).data;

export const startConfirmation = async (slug: string): Promise<Schemas["GoTo"]> =>
  (await unwrap(api.POST("/api/user/identities/{slug}/confirm", at(slug)))).data;

export async function removeIdentity(identity_id: string, password: string): Promise<void> {
  await unwrap(
    api.DELETE("/api/user/identities/{identity_id}", {
      params: { path: { identity_id } },
      body: { password },
    }),
  );
}
