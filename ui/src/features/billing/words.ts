/** Amounts, days and what a plan includes, in words. */
import { t } from "../../platform/messages/billing";
import { dateFormat } from "../../platform/i18n/dates";
import { dayLocale } from "../../platform/i18n/locale";
import { moneyFormat } from "../../platform/i18n/money";
import type { Invoice, Period, Plan, Preview } from "./types";

/** `$19`, or `$19.50` where there are cents. */
export function money(cents: number): string {
  const digits = cents % 100 === 0 ? 0 : 2;
  return moneyFormat("USD", { minimumFractionDigits: digits, maximumFractionDigits: digits })(
    cents,
  );
}

export const day = dateFormat({ day: "numeric", month: "long", year: "numeric" }, dayLocale);

export const per = (period: Period): string => t(period === "monthly" ? "aMonth" : "aYear");

type Cost = Pick<Preview, "price" | "next_amount" | "discount_until" | "period">;

/** What the periods to come cost: `$15.20 a month until 23 February 2027, then $19 a month`. */
export function costOf({ price, next_amount, discount_until, period }: Cost): string {
  const next = `${money(next_amount)} ${per(period)}`;
  return next_amount === price || discount_until === null
    ? next
    : t("costUntil", { next, until: day(discount_until), then: `${money(price)} ${per(period)}` });
}

export const priceOf = (plan: Plan, period: Period): number =>
  period === "monthly" ? plan.price_monthly : plan.price_yearly;

/** How much a year saves over twelve months, in percent. */
export const savingOf = (plans: readonly Plan[]): number =>
  Math.max(
    0,
    ...plans.map(({ price_monthly, price_yearly }) =>
      price_monthly === 0 ? 0 : Math.round(100 - (price_yearly / (12 * price_monthly)) * 100),
    ),
  );

const storage = (bytes: number): string =>
  bytes >= 1e12 ? `${+(bytes / 1e12).toFixed(1)} TB` : `${Math.round(bytes / 1e9)} GB`;

/** What a plan includes, one point each. */
export const includes = (plan: Plan): string[] => [
  t("plan.minutes", { minutes: plan.minutes }),
  t("plan.storage", { storageBytes: storage(plan.storage_bytes) }),
  t("seats", { seats: plan.seats }),
];

export const INVOICE_STATES: Record<Invoice["state"], { label: string; colour: string }> = {
  draft: { label: t("draft"), colour: "gray" },
  open: { label: t("toPay"), colour: "yellow" },
  paid: { label: t("paid"), colour: "teal" },
  void: { label: t("void"), colour: "gray" },
  uncollectible: { label: t("notPaid"), colour: "red" },
};
