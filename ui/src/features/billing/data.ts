/** Plans and payments: the calls, and the sentences for when the server has none. */
import useSWR from "swr";
import { api, ApiError, callHeaders, csrfToken, unwrap } from "../../api/client";
import { keys } from "../../api/keys";
import { t } from "../../i18n/en/billing";
import { locale } from "../../i18n/locale";
import type { Billing, Coupon, Invoice, PaymentStep, Period, Preview, Tier } from "./types";

export const FALLBACKS = {
  card: t("unableToUpdatePaymentMethod"),
  coupon: t("anErrorOccurredWhileChecking"),
  subscribe: t("anErrorOccurredWhileTrying"),
  change: t("unableToChangeSubscriptionTier"),
  takeBack: t("unableToCancelSubscriptionDowngrade"),
  cancel: t("unableToCancelTheSubscription"),
  uncancel: t("unableToResumeTheSubscription"),
  pay: t("thePaymentCouldNotBe"),
};

export const DONE = {
  card: t("paymentMethodWasSuccessfullyUpdated"),
  change: t("subscriptionTierWasSuccessfullyChanged"),
};

/** The server's sentence, or the fallback for errors that carry none. */
export const sentenceOf = (error: unknown, fallback: string): string =>
  error instanceof ApiError && error.message !== "" ? error.message : fallback;

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

export const newIntent = async () => (await unwrap(api.GET("/api/user/stripe/intent"))).data;

export const checkCoupon = async (code: string): Promise<Coupon> =>
  (await unwrap(api.GET("/api/user/coupon/{code}", { params: { path: { code } } }))).data;

export const refresh = async (): Promise<Billing> =>
  (await unwrap(api.POST("/api/user/billing/refresh"))).data;

export const payDue = async (): Promise<PaymentStep> =>
  (await unwrap(api.POST("/api/user/billing/pay"))).data;

export const saveCard = async (payment_method: string): Promise<Billing> =>
  (await unwrap(api.PUT("/api/user/billing/payment", { body: { payment_method } }))).data;

export async function subscribe(
  type: Tier,
  period: Period,
  intent: string,
  coupon: string | null,
): Promise<PaymentStep> {
  const body = { type, period, intent, coupon, currency: "usd" as const };
  return (await unwrap(api.POST("/api/user/subscribe", { body }))).data;
}

export async function preview(tier: Tier, period: Period): Promise<Preview> {
  const params = { path: { tier, period } };
  return (await unwrap(api.GET("/api/user/subscription/preview/{tier}/{period}", { params }))).data;
}

export async function changePlan(tier: Tier, period: Period): Promise<PaymentStep> {
  const params = { path: { tier, period } };
  return (await unwrap(api.PUT("/api/user/subscription/change/{tier}/{period}", { params }))).data;
}

export const takeChangeBack = async (): Promise<Billing> =>
  (await unwrap(api.PUT("/api/user/subscription/change/cancel"))).data;

/** These two change something by GET, so they carry the header that other changing calls have. */
export async function setCancelled(cancelled: boolean): Promise<Billing> {
  const path = `/api/user/subscription/${cancelled ? "cancel" : "uncancel"}` as const;
  const call = async (renew: boolean) => {
    const headers = { ...(await callHeaders("GET")), "X-XSRF-TOKEN": await csrfToken(renew) };
    return api.GET(path, { headers });
  };
  const first = await call(false);
  return (await unwrap(first.response.status === 419 ? call(true) : Promise.resolve(first))).data;
}
