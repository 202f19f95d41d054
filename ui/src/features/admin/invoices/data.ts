import useSWR, { useSWRConfig } from "swr";
import { send, type Schemas } from "../../../platform/api/client";
import { keys, staleBy } from "../../../platform/api/keys";
import { toast } from "../../../platform/notices/toast";
import { dateFormat } from "../../../platform/i18n/dates";
import { locale } from "../../../platform/i18n/locale";

export type Invoice = Schemas["AdminInvoiceOut"];
export type InvoiceChange = Schemas["InvoiceChange"];
export type MonthTotals = Schemas["MonthTotals"];

export const INVOICES = "/api/admin/invoices";

export const pdfUrl = (id: string): string => `${INVOICES}/${id}/pdf?in=${locale}`;

export function useInvoice(id: string) {
  const url = `${INVOICES}/${encodeURIComponent(id)}`;
  return useSWR<Invoice, Error>(
    keys.adminList(url),
    async () => (await send<{ data: Invoice }>("GET", url)).data,
  );
}

export function useTotals() {
  const url = `${INVOICES}/totals`;
  return useSWR<MonthTotals[], Error>(
    keys.adminList(url),
    async () => (await send<{ data: MonthTotals[] }>("GET", url)).data,
  );
}

/** Calls that change invoices. Each returns its answer, or undefined after showing why it failed. */
export function useInvoiceActions() {
  const { mutate } = useSWRConfig();
  const attempt = async <T>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T | undefined> => {
    try {
      return (await send<T>(method, `${INVOICES}/${path}`, body)) ?? ({} as T);
    } catch (error) {
      toast("error", (error as Error).message);
      return undefined;
    } finally {
      await mutate(staleBy(keys.admin));
    }
  };
  return {
    draft: (month: string) => attempt<{ data: Schemas["DraftCount"] }>("POST", "drafts", { month }),
    change: (id: string, change: InvoiceChange) => attempt("PUT", id, change),
    discard: (id: string) => attempt("DELETE", id),
    issue: (id: string) => attempt("POST", `${id}/issue`),
    markPaid: (id: string, paidOn: string) =>
      attempt("POST", `${id}/paid`, { paid_on: paidOn === "" ? null : paidOn }),
    voidIt: (id: string, reason: string) => attempt("POST", `${id}/void`, { reason }),
  };
}

/** The newest months first, this one included, as `2026-11`. */
/** "maí 2026" */
export const monthName = dateFormat({ month: "long", year: "numeric", timeZone: "UTC" });

export function months(now: Date, count = 24): { value: string; label: string }[] {
  return Array.from({ length: count }, (_, index) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index, 1));
    return {
      value: month.toISOString().slice(0, 7),
      label: monthName(month),
    };
  });
}
