import { dateFormat } from "./dates";
import { dayLocale } from "./locale";

/** "4 May 2026" */
export const dayOf = dateFormat({ day: "numeric", month: "long", year: "numeric" }, dayLocale);

/** "4 May 2026, 09:30" */
export const timeOf = dateFormat({ dateStyle: "medium", timeStyle: "short" }, dayLocale);
