/** Numbers, money and moments as the admin pages show them. */
import { limitOf } from "../../../platform/api/publicConfig";
import { t } from "../../../platform/messages/admin";
import { dateFormat } from "../../../platform/i18n/dates";
import { formatLocale } from "../../../platform/i18n/locale";
import { moneyFormat } from "../../../platform/i18n/money";

/** The size of a list that the server counts up to a bound; `name` is "3 users" of 3. */
export const countedUpTo = (count: number, name: (count: number) => string): string => {
  const most = limitOf("count_limits", "counted");
  return count > most ? t("list.moreThan", { counted: name(most) }) : name(count);
};

/** "$19.00" of 1900 cents. */
export const money = (cents: number, currency = "usd"): string => moneyFormat(currency)(cents);

export const day = dateFormat({ day: "numeric", month: "short", year: "numeric" });

export const moment = dateFormat({
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hour12: false,
});

const UNITS = ["B", "kB", "MB", "GB", "TB"];

export function bytes(count: number): string {
  const power = count === 0 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3));
  const value = count / 1000 ** power;
  return `${value.toLocaleString(formatLocale, { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${UNITS[power]}`;
}

/** "3 h 20 min", "12 min". */
export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours === 0
    ? t("list.minutes", { minutes })
    : t("list.hoursMinutes", { hours, minutes: minutes % 60 });
}
