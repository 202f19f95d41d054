import { useSession } from "../features/auth/session";
import { toast } from "../features/notifications/toast";
import { locale, LOCALES, type Locale } from "../i18n/locale";
import { switchLocale } from "../i18n/switchLocale";

/** The languages that the page is not in; each is named in its own language. */
export const OTHER_LOCALES = LOCALES.filter(({ value }) => value !== locale);

/** Changes the language; the page loads again. A failure shows as a toast. */
export function useSwitchLocale(): (next: Locale) => void {
  const { user } = useSession();
  return (next) =>
    void switchLocale(next, user).catch((error: Error) => toast("error", error.message));
}
