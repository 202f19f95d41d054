/** The second factor of one's account. */
import useSWR from "swr";
import { api, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";

export const useSecondFactor = () =>
  useSWR<Schemas["SecondFactorOut"], Error>(
    keys.secondFactor,
    async () => (await unwrap(api.GET("/api/user/second-factor"))).data,
  );

export type NewApp = Schemas["NewAppOut"];

export const beginApp = async (password: string): Promise<NewApp> =>
  (await unwrap(api.POST("/api/user/second-factor", { body: { password } }))).data;

/** Turn the app on by its first code. Resolves to the recovery codes. */
export const confirmApp = async (code: string): Promise<string[]> =>
  (await unwrap(api.PUT("/api/user/second-factor", { body: { code } }))).data.codes;

export async function confirmByCode(code: string): Promise<void> {
  await unwrap(api.POST("/api/user/second-factor/confirm", { body: { code } }));
}

export const replaceCodes = async (password: string): Promise<string[]> =>
  (await unwrap(api.POST("/api/user/second-factor/recovery-codes", { body: { password } }))).data
    .codes;

export async function turnOff(password: string): Promise<void> {
  await unwrap(api.DELETE("/api/user/second-factor", { body: { password } }));
}

export async function trustNoBrowser(): Promise<void> {
  await unwrap(api.DELETE("/api/user/second-factor/browsers"));
}
