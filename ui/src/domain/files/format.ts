/** Numbers and times in readable form. */
import { t } from "../../platform/messages/files";
import { dateFormat } from "../../platform/i18n/dates";

export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown
    .map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0")))
    .join(":");
}

export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = count;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function timeLeft(seconds: number): string {
  if (seconds < 5) return t("left.fewSeconds");
  if (seconds < 60) return t("left.seconds", { seconds: Math.round(seconds / 5) * 5 });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t("left.minutes", { minutes });
  const rest = minutes % 60;
  return t("left.hoursMinutes", {
    minutes: Math.floor(minutes / 60),
    rest,
  });
}

export const day = dateFormat({ dateStyle: "medium", timeStyle: "short" });
