import { useSession } from "./session";
import { toast } from "../../platform/notices/toast";
import { ACCOUNT_LOCALES, locale, LOCALES, type Locale } from "../../platform/i18n/locale";
import { switchLocale } from "./switchLocale";

/** The languages that the page is not in; each is named in its own language. Of an account, those that it can have. */
export const otherLocales = (isSignedIn: boolean) =>
  (isSignedIn ? ACCOUNT_LOCALES : LOCALES).filter(({ value }) => value !== locale);

/** Changes the language; the page loads again. A failure shows as a toast. */
export function useSwitchLocale(): (next: Locale) => void {
  const { user } = useSession();
  return (next) =>
    void switchLocale(next, user).catch((error: Error) => toast("error", error.message));
}
