/** The ledger in words and readable amounts. */
import { t } from "../../platform/messages/ledger";
import { dateFormat } from "../../platform/i18n/dates";
import { moneyFormat } from "../../platform/i18n/money";
import type { Grant, Movement } from "./data";

/** `4 min 30 s`; whole minutes alone from an hour on. */
export function minutes(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds) / 60);
  const rest = Math.abs(seconds) % 60;
  const sign = seconds < 0 ? "−" : "";
  if (whole === 0) return `${sign}${rest} s`;
  const shown = t("signWholeMin", { sign, whole });
  return rest === 0 || whole >= 60 ? shown : `${shown} ${rest} s`;
}

export const money = moneyFormat("USD");

export const date = dateFormat({ dateStyle: "medium" });

export const moment = dateFormat({ dateStyle: "medium", timeStyle: "short" });

const MONTH = dateFormat({ month: "long", year: "numeric", timeZone: "UTC" });

/** `November 2026` for `2026-11`. */
export const monthName = (month: string): string => MONTH(`${month}-01T00:00:00Z`);

/** All months from the first to the last, the newest first. */
export function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  const at = new Date(`${last}-01T00:00:00Z`);
  for (let month = last; month >= first; month = at.toISOString().slice(0, 7)) {
    months.push(month);
    at.setUTCMonth(at.getUTCMonth() - 1);
  }
  return months;
}

export const KINDS: Record<Movement["kind"], string> = {
  reserve: t("reserved"),
  settle: t("used"),
  release: t("returned"),
  refund: t("refunded"),
  expire: t("expired"),
  correct: t("corrected"),
};

export const SOURCES: Record<Grant["source"], string> = {
  plan: t("plan"),
  contract: t("contract"),
  top_up: t("topUp"),
  goodwill: t("goodwill"),
  free: t("freeMinutes"),
};

const FUNDING: Record<Exclude<Movement["funding"], "grant">, string> = {
  extra: t("extraMinutes"),
  unlimited: t("noLimit"),
  free: t("free"),
  unbilled: t("notBilled"),
};

/** What paid: the grant's source, or what stands in for a grant. */
export function payment({ funding, source }: Pick<Movement, "funding" | "source">): string {
  if (funding === "grant") return source === null ? t("grants.plan") : SOURCES[source];
  return FUNDING[funding];
}

const REASONS: Record<NonNullable<Movement["reason"]>, string> = {
  fault: t("free.failed"),
  engine: t("free.betterModel"),
  failed: t("file.failed"),
  cancelled: t("cancelled"),
};

export const remark = ({ reason, note }: Pick<Movement, "reason" | "note">): string =>
  note ?? (reason === null ? "" : REASONS[reason]);
