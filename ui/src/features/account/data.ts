/** The calls of the settings page. */
import useSWR from "swr";
import { api, ApiError, unwrap, type Schemas } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/account";

export type User = Schemas["UserOut"];
export type Device = Schemas["DeviceOut"];
export type LogEntry = Schemas["LogEntryOut"];

export const LOG_PER_PAGE = 25;
export const EXPORT_URL = "/api/user/export";
export const INFO_SAVED = t("info.saved");
export const INFO_NOT_SAVED = t("info.saveFailed");
export const PASSWORD_SAVED = t("password.saved");
export const PASSWORD_NOT_SAVED = t("password.saveFailed");

export { saveProfile } from "../../domain/person/profile";

export const savePassword = async (body: Schemas["PasswordChange"]): Promise<User> =>
  (await unwrap(api.PUT("/api/user/settings", { body }))).data;

/** Sign in with passkeys alone. Resolves to recovery codes, which nobody sees again. */
export const removePassword = async (password: string): Promise<string[]> =>
  (await unwrap(api.DELETE("/api/user/password", { body: { password } }))).data.codes;

export const saveEmail = async (body: Schemas["EmailChange"]): Promise<User> =>
  (await unwrap(api.PUT("/api/user/email", { body }))).data;

export const keepEmail = async (): Promise<User> =>
  (await unwrap(api.DELETE("/api/user/email"))).data;

export async function deleteAccount(body: Schemas["Deletion"]): Promise<string> {
  return (await unwrap(api.DELETE("/api/user", { body }))).data.restore_until;
}

export const useDevices = () =>
  useSWR<Device[], Error>(
    keys.devices,
    async () => (await unwrap(api.GET("/api/user/sessions"))).data,
  );

export async function signOutDevice(session_id: string): Promise<void> {
  await unwrap(api.DELETE("/api/user/sessions/{session_id}", { params: { path: { session_id } } }));
}

export const signOutOthers = async (): Promise<number> =>
  (await unwrap(api.DELETE("/api/user/sessions"))).data.count;

export const useAccountLog = (page: number) =>
  useSWR<{ data: LogEntry[]; meta: Schemas["PageMeta"] }, Error>(
    keys.accountLog(page),
    async () =>
      unwrap(api.GET("/api/user/log", { params: { query: { page, per_page: LOG_PER_PAGE } } })),
    { keepPreviousData: true },
  );

/** The server's sentence, or ours where it gave none. */
export const problemOf = (error: unknown, fallback: string): ApiError =>
  error instanceof ApiError && !error.isMute ? error : new ApiError(0, fallback);
