/** Passkeys: what the server asks of the browser, and the browser of the device. */
import useSWR from "swr";
import { api, csrfToken, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import type { User } from "./session";

export type Passkey = Schemas["PasskeyOut"];

/** Whether this browser has passkeys for this address: none belong to an address in numbers. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function" &&
  !/^(\d+(\.\d+){3}|\[.*\])$/.test(window.location.hostname);

export const usePasskeys = () =>
  useSWR<Schemas["PasskeysOut"], Error>(
    keys.passkeys,
    async () => (await unwrap(api.GET("/api/user/passkeys"))).data,
  );

/** Have the device make a passkey, and keep it. Resolves to false where the person cancelled. */
export async function addPasskey(name: string, password: string): Promise<boolean> {
  const { options } = (await unwrap(api.POST("/api/user/passkeys/options", { body: { password } })))
    .data;
  const credential = await orCancelled(
    navigator.credentials.create({
      publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
        options as unknown as PublicKeyCredentialCreationOptionsJSON,
      ),
    }),
  );
  if (credential === undefined) return false;
  await unwrap(api.POST("/api/user/passkeys", { body: { name, credential } }));
  return true;
}

/** Sign in with a passkey of this device. Resolves to undefined where the person cancelled. */
export async function signInWithPasskey(restore = false): Promise<User | undefined> {
  await csrfToken(true);
  const { options } = (await unwrap(api.POST("/login/passkey/options"))).data;
  const credential = await signed(options);
  if (credential === undefined) return undefined;
  return (await unwrap(api.POST("/login/passkey", { body: { credential, restore } }))).data;
}

/** Show with a passkey of this device that it is still the same person. Resolves to false where they cancelled. */
export async function confirmByPasskey(): Promise<boolean> {
  const { options } = (await unwrap(api.POST("/api/user/passkeys/confirm/options"))).data;
  const credential = await signed(options);
  if (credential === undefined) return false;
  await unwrap(api.POST("/api/user/passkeys/confirm", { body: { credential } }));
  return true;
}

export async function removePasskey(passkey_id: string, password: string): Promise<void> {
  await unwrap(
    api.DELETE("/api/user/passkeys/{passkey_id}", {
      params: { path: { passkey_id } },
      body: { password },
    }),
  );
}

const signed = (options: Record<string, unknown>) =>
  orCancelled(
    navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(
        options as unknown as PublicKeyCredentialRequestOptionsJSON,
      ),
    }),
  );

/** The credential as the server reads it; undefined where the person closed the device's dialog or let it time out. */
async function orCancelled(
  asked: Promise<Credential | null>,
): Promise<Record<string, unknown> | undefined> {
  try {
    const credential = (await asked) as PublicKeyCredential | null;
    return credential?.toJSON() as unknown as Record<string, unknown> | undefined;
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "NotAllowedError" || name === "AbortError") return undefined;
    throw error;
  }
}
