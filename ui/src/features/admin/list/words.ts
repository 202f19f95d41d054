/** Numbers, money and moments as the admin pages show them. */
export const COUNTED_MAX = 10_000;

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/** The same for lists that the server counts up to a bound. */
export const countedUpTo = (count: number, one: string, many = `${one}s`): string =>
  count > COUNTED_MAX
    ? `More than ${COUNTED_MAX.toLocaleString("en")} ${many}`
    : counted(count, one, many);

/** "$19.00" of 1900 cents. */
export const money = (cents: number, currency = "usd"): string =>
  new Intl.NumberFormat("en", { style: "currency", currency }).format(cents / 100);

export const day = (moment: string): string =>
  new Date(moment).toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });

export const moment = (at: string): string =>
  new Date(at).toLocaleString("en", {
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
  return `${value.toLocaleString("en", { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${UNITS[power]}`;
}

/** "3 h 20 min", "12 min". */
export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours.toLocaleString("en")} h ${minutes % 60} min`;
}
