/** Accounts as administrators see and change them. */
import useSWR from "swr";
import { send, type Schemas } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/admin";

export type AdminUser = Schemas["AdminUserOut"];
export type AdminUserDetail = Schemas["AdminUserDetail"];
export type Member = Schemas["ColleagueOut"];
export type NewUser = Schemas["NewUser"];
export type UserChange = Schemas["UserChange"];
export type ContractChange = Schemas["ContractChange"];
export type Plan = AdminUser["plan"];

export const USERS = "/api/admin/users";

export const PLANS: { value: Plan; label: string }[] = [
  { value: "personal", label: t("users.personal") },
  { value: "creator", label: "Creator" },
  { value: "producer", label: "Producer" },
  { value: "business", label: "Business" },
  { value: "broadcaster", label: "Broadcaster" },
  { value: "enterprise", label: "Enterprise" },
  { value: "corporate", label: "Corporate" },
  { value: "none", label: t("users.none") },
];

export const planLabel = (plan: Plan): string =>
  PLANS.find(({ value }) => value === plan)?.label ?? plan;

export const PERIODS: Record<Schemas["BillingPeriod"], string> = {
  monthly: t("users.paidMonthly"),
  yearly: t("users.paidYearly"),
};

export const STATUSES: Record<Schemas["SubscriptionStatus"], string> = {
  active: t("users.active"),
  trialing: t("users.onTrial"),
  past_due: t("users.pastDue"),
  unpaid: t("users.unpaid"),
  incomplete: t("users.state.unpaid"),
  incomplete_expired: t("users.neverPaid"),
  canceled: t("users.ended"),
  paused: t("users.paused"),
};

const one = (id: string, part = ""): string => `${USERS}/${id}${part}`;

export function useUser(id: string) {
  return useSWR<AdminUserDetail, Error>(
    keys.adminList(one(id)),
    async () => (await send<{ data: AdminUserDetail }>("GET", one(id))).data,
  );
}

export function useMembers(id: string) {
  return useSWR<Member[], Error>(
    keys.adminList(one(id, "/members")),
    async () => (await send<{ data: Member[] }>("GET", one(id, "/members"))).data,
  );
}

/** A call that answers with the account as it is afterwards. */
const change = async (method: string, path: string, body?: unknown): Promise<AdminUserDetail> =>
  (await send<{ data: AdminUserDetail }>(method, path, body)).data;

export const createUser = (body: NewUser) => change("POST", "/api/user/create", body);
export const changeUser = (id: string, body: UserChange) => change("PUT", one(id), body);
export const setAdmin = (id: string, is_admin: boolean) =>
  change("PUT", one(id, "/admin"), { is_admin });
export const setContract = (id: string, body: ContractChange) =>
  change("PUT", one(id, "/contract"), body);
export const endContract = (id: string) => change("DELETE", one(id, "/contract"));
export const giveMinutes = (id: string, body: Schemas["Goodwill"]) =>
  change("POST", one(id, "/goodwill"), body);
export const restoreUser = (id: string) => change("POST", one(id, "/restore"));
export const signOutUser = (id: string) => change("POST", one(id, "/sign-out"));
export const suspendUser = (id: string) => change("PUT", one(id, "/suspension"));
export const resumeUser = (id: string) => change("DELETE", one(id, "/suspension"));
export const turnOffSecondFactor = (id: string) => change("DELETE", one(id, "/second-factor"));
export const deleteUser = (id: string) => send<undefined>("DELETE", one(id));
export const sendLink = (id: string) => send<undefined>("POST", one(id, "/reset-link"));
