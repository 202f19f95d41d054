/** The ledger in words and readable amounts. */
import type { Grant, Movement } from "./data";

/** `4 min 30 s`; whole minutes alone from an hour on. */
export function minutes(seconds: number): string {
  const whole = Math.floor(Math.abs(seconds) / 60);
  const rest = Math.abs(seconds) % 60;
  const sign = seconds < 0 ? "−" : "";
  if (whole === 0) return `${sign}${rest} s`;
  const shown = `${sign}${whole.toLocaleString("en")} min`;
  return rest === 0 || whole >= 60 ? shown : `${shown} ${rest} s`;
}

export const money = (cents: number): string =>
  (cents / 100).toLocaleString("en", { style: "currency", currency: "USD" });

export const date = (iso: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(new Date(iso));

export const moment = (iso: string): string =>
  new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(iso),
  );

/** `November 2026` for `2026-11`. */
export const monthName = (month: string): string =>
  new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

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
  reserve: "Reserved",
  settle: "Used",
  release: "Returned",
  refund: "Refunded",
  expire: "Expired",
  correct: "Corrected",
};

export const SOURCES: Record<Grant["source"], string> = {
  plan: "Plan",
  contract: "Contract",
  top_up: "Top-up",
  goodwill: "Goodwill",
};

const WORK: Record<string, string> = {
  transcribe: "Transcription",
  translate: "Translation",
  minutes: "AI text",
  export: "Export",
  speech_text: "Speech API",
  speech_english: "Speech API, into English",
};

export const workName = (work: string | null): string =>
  work === null ? "" : (WORK[work] ?? work);

const FUNDING: Record<Exclude<Movement["funding"], "grant">, string> = {
  extra: "Extra minutes",
  unlimited: "No limit",
  free: "Free",
  unbilled: "Not billed",
};

/** What paid: the grant's source, or what stands in for a grant. */
export function payment({ funding, source }: Pick<Movement, "funding" | "source">): string {
  if (funding === "grant") return source === null ? "Minutes of the plan" : SOURCES[source];
  return FUNDING[funding];
}

const REASONS: Record<NonNullable<Movement["reason"]>, string> = {
  fault: "We failed, so this costs nothing",
  engine: "A better model arrived, so this costs nothing",
  failed: "The file could not be processed",
  cancelled: "Cancelled",
};

export const remark = ({ reason, note }: Pick<Movement, "reason" | "note">): string =>
  note ?? (reason === null ? "" : REASONS[reason]);
