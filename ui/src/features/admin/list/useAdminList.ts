import useSWR from "swr";
import { send } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";
import { locale } from "../../../platform/i18n/locale";

export interface AdminPage<Row> {
  data: Row[];
  meta: { total: number; page: number; per_page: number };
}

export const PER_PAGE = 50;

/** The address of a list. Empty values are left out. */
export function listUrl(
  path: string,
  values: Record<string, string | string[] | undefined>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) {
      if (one !== "") search.append(name, one);
    }
  }
  // A download has the browser's headers, not the page's.
  if (values.format === "csv") search.set("in", locale);
  const text = search.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** One page of an admin list. The former page stays until the next one arrives. */
export function useAdminList<Row>(
  path: string,
  values: Record<string, string | string[] | undefined>,
) {
  const url = listUrl(path, { per_page: String(PER_PAGE), ...values });
  return useSWR<AdminPage<Row>, Error>(
    keys.adminList(url),
    () => send<AdminPage<Row>>("GET", url),
    { keepPreviousData: true },
  );
}
