import type { Schemas } from "../../platform/api/client";
import { saveProfile } from "./profile";
import {
  isAccountLocale,
  localeOf,
  locale,
  storeLocale,
  type Locale,
} from "../../platform/i18n/locale";

type User = Schemas["UserOut"];

/** Set while a language that was chosen before sign-in is not in the account yet. */
const UNSAVED = "sagascript-locale-unsaved";

/** Show everything in another language, and keep it for the person or, without one, for this browser. */
export async function switchLocale(next: Locale, user: User | null | undefined): Promise<void> {
  if (user == null) {
    if (storeLocale(next)) localStorage.setItem(UNSAVED, "true");
  } else {
    if (user.browse_as == null && isAccountLocale(next))
      await saveProfile({ name: user.name, locale: next });
    storeLocale(next);
  }
  window.location.reload();
}

/**
 * After sign-in: a language chosen on the way in goes into the account; otherwise this browser takes the
 * account's. Somebody who browses as another person keeps their own.
 */
export function matchLocale(user: User): void {
  if (user.browse_as != null) return;
  const wanted = localeOf(user.locale);
  if (wanted === undefined || wanted === locale) return localStorage.removeItem(UNSAVED);
  const isChosen = localStorage.getItem(UNSAVED) !== null;
  localStorage.removeItem(UNSAVED);
  if (isChosen && isAccountLocale(locale)) {
    void saveProfile({ name: user.name, locale });
  } else if (storeLocale(wanted)) {
    window.location.reload();
  }
}
