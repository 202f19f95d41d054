/** The warning that events do not arrive, shown until the connection is made. */
import { t } from "../messages/shell";
import { notify, withdraw } from "../notices/store";
import { toast } from "../notices/toast";

/** The specified sentence. */
export const CONNECTION_LOST = t("realtime.disconnected");

const SLUG = "realtime";
let isShown = false;

/** One notice per outage, however often the connection is retried. */
export function warnOfConnection(): void {
  if (isShown) return;
  isShown = true;
  notify({ slug: SLUG, type: "warning", message: CONNECTION_LOST, is_disposable: true });
  toast("warning", CONNECTION_LOST);
}

export function hideConnectionWarning(): void {
  isShown = false;
  withdraw(SLUG);
}
