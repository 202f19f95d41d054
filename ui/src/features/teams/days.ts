import { dayLocale } from "../../i18n/locale";
const DAY = new Intl.DateTimeFormat(dayLocale, { day: "numeric", month: "long", year: "numeric" });
const TIME = new Intl.DateTimeFormat(dayLocale, { dateStyle: "medium", timeStyle: "short" });

/** "4 May 2026" */
export const dayOf = (time: string): string => DAY.format(new Date(time));

/** "4 May 2026, 09:30" */
export const timeOf = (time: string): string => TIME.format(new Date(time));
