import useSWR from "swr";
import { send, type Schemas } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";
import { t } from "../../../platform/messages/admin";

export type Company = Schemas["CompanyOut"];
export type CompanyDetail = Schemas["CompanyDetail"];
export type CompanyChange = Schemas["CompanyIn"];
export type Assignment = Schemas["Assignment"];

export const COMPANIES = "/api/admin/companies";

const one = (id: string, part = ""): string => `${COMPANIES}/${id}${part}`;
const change = async (method: string, path: string, body?: unknown): Promise<CompanyDetail> =>
  (await send<{ data: CompanyDetail }>(method, path, body)).data;

export function useCompany(id: string) {
  return useSWR<CompanyDetail, Error>(keys.adminList(one(id)), () => change("GET", one(id)));
}

export const createCompany = (body: CompanyChange) => change("POST", COMPANIES, body);
export const changeCompany = (id: string, body: CompanyChange) => change("PUT", one(id), body);
export const deleteCompany = (id: string) => send<undefined>("DELETE", one(id));
export const restoreCompany = (id: string) => change("POST", one(id, "/restore"));
export const assign = (id: string, what: "users" | "teams", body: Partial<Assignment>) =>
  change("PUT", one(id, `/${what}`), body);

export interface Found {
  id: string;
  name: string;
  hint: string;
}

/** The people or teams that a search for somebody to assign offers. */
export async function search(what: "users" | "teams", q: string): Promise<Found[]> {
  if (q.trim() === "") return [];
  const words = encodeURIComponent(q.trim());
  if (what === "users") {
    const { data } = await send<{ data: Schemas["AdminUserOut"][] }>(
      "GET",
      `/api/admin/users?per_page=10&q=${words}`,
    );
    return data.map(({ id, name, email }) => ({ id, name, hint: email }));
  }
  const { data } = await send<{ data: Schemas["TeamOption"][] }>(
    "GET",
    `/api/admin/teams?q=${words}`,
  );
  return data.map(({ id, name, members }) => ({
    id,
    name,
    hint: t("companies.memberCount", { members }),
  }));
}
