/** Plans and payments: the calls, and the sentences for when the server has none. */
import useSWR from "swr";
import { changingGet } from "../../platform/api/changingGet";
import { api, unwrap } from "../../platform/api/client";
import { keys } from "../../platform/api/keys";
import { t } from "../../platform/messages/billing";
import { locale } from "../../platform/i18n/locale";
import type { Billing, Coupon, Invoice, PaymentStep, Period, Preview, Tier } from "./types";

export const FALLBACKS = {
  card: t("card.saveFailed"),
  coupon: t("coupon.checkFailed"),
  subscribe: t("subscribe.failed"),
  change: t("change.failed"),
  takeBack: t("takeBack.failed"),
  cancel: t("cancel.failed"),
  uncancel: t("resume.failed"),
  pay: t("pay.failed"),
};

export const DONE = {
  card: t("card.saved"),
  change: t("change.saved"),
};

export const useBilling = () =>
  useSWR<Billing, Error>(
    keys.billing,
    async () => (await unwrap(api.GET("/api/user/billing"))).data,
  );

export const INVOICES_PER_PAGE = 12;

export const useInvoices = (page: number) =>
  useSWR<{ data: Invoice[]; meta: { total: number } }, Error>(keys.invoices(page), () =>
    unwrap(
      api.GET("/api/billing/invoices", {
        params: { query: { page, per_page: INVOICES_PER_PAGE } },
      }),
    ),
  );

export const pdfUrl = (id: string): string => `/api/billing/invoices/${id}/pdf?in=${locale}`;

export const newIntent = async () =>
  (await changingGet((headers) => api.GET("/api/user/stripe/intent", { headers }))).data;

export const checkCoupon = async (code: string): Promise<Coupon> =>
  (await unwrap(api.GET("/api/user/coupon/{code}", { params: { path: { code } } }))).data;

export const refresh = async (): Promise<Billing> =>
  (await unwrap(api.POST("/api/user/billing/refresh"))).data;

/** Pay what is due. Refused where it is no longer the amount that was shown. */
export const payDue = async (due: number): Promise<PaymentStep> =>
  (await unwrap(api.POST("/api/user/billing/pay", { body: { due } }))).data;

export const saveCard = async (payment_method: string): Promise<Billing> =>
  (await unwrap(api.PUT("/api/user/billing/payment", { body: { payment_method } }))).data;

export async function subscribe(
  type: Tier,
  period: Period,
  intent: string,
  coupon: string | null,
  due: number,
): Promise<PaymentStep> {
  const body = { type, period, intent, coupon, currency: "usd" as const, due };
  return (await unwrap(api.POST("/api/user/subscribe", { body }))).data;
}

/** What a subscription or a change costs now. It is asked anew each time that something shows it. */
export const usePreview = (tier: Tier, period: Period, coupon?: string) =>
  useSWR<Preview, Error>(
    keys.preview(tier, period, coupon),
    async () => {
      const params = { path: { tier, period }, query: { coupon } };
      return (await unwrap(api.GET("/api/user/subscription/preview/{tier}/{period}", { params })))
        .data;
    },
    { revalidateOnFocus: false, dedupingInterval: 0 },
  );

/** Change the plan for what the preview says. Refused where it costs anything else by now. */
export async function changePlan({ tier, period, due_now, as_of }: Preview): Promise<PaymentStep> {
  const params = { path: { tier, period } };
  const body = { due: due_now, as_of };
  return (await unwrap(api.PUT("/api/user/subscription/change/{tier}/{period}", { params, body })))
    .data;
}

export const takeChangeBack = async (): Promise<Billing> =>
  (await unwrap(api.PUT("/api/user/subscription/change/cancel"))).data;

export const setCancelled = async (cancelled: boolean): Promise<Billing> =>
  (
    await changingGet((headers) =>
      api.GET(`/api/user/subscription/${cancelled ? "cancel" : "uncancel"}`, { headers }),
    )
  ).data;
