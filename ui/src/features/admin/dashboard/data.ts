import useSWR from "swr";
import { t } from "../../../platform/messages/admin";
import { send, type Schemas } from "../../../platform/api/client";
import { keys } from "../../../platform/api/keys";
import { listUrl } from "../list/useAdminList";
import { locale } from "../../../platform/i18n/locale";

export type Dashboard = Schemas["DashboardOut"];
export type System = Schemas["SystemOut"];

export const RANGES = [
  { value: "24", label: "24 h" },
  { value: "168", label: t("dashboard.days", { days: 7 }) },
  { value: "720", label: t("dashboard.days", { days: 30 }) },
  { value: "2160", label: t("dashboard.days", { days: 90 }) },
];
const AGAIN_MS = 30_000;
const CHECKING_MS = 2_000;
const DASHBOARD = "/api/admin/dashboard";
const SYSTEM = "/api/admin/system";

export const figureUrl = (figure: Schemas["Figure"], hours: string): string =>
  listUrl(`${DASHBOARD}/${figure}`, { hours, in: locale });

export function useDashboard(hours: string) {
  const url = listUrl(DASHBOARD, { hours });
  return useSWR<Dashboard, Error>(
    keys.adminList(url),
    async () => (await send<{ data: Dashboard }>("GET", url)).data,
    { keepPreviousData: true, refreshInterval: AGAIN_MS },
  );
}

/** The doctor's findings. While it looks, we ask every two seconds. */
export function useSystem() {
  const found = useSWR<System, Error>(
    keys.adminList(SYSTEM),
    async () => (await send<{ data: System }>("GET", SYSTEM)).data,
    { refreshInterval: (system) => (system?.is_running ? CHECKING_MS : 0) },
  );
  const check = async () => {
    await found.mutate(async () => (await send<{ data: System }>("POST", SYSTEM)).data, {
      revalidate: false,
    });
  };
  return { ...found, check };
}
