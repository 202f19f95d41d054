/** The warning that events do not arrive, from when the connection cannot be made until it is there. */
import { notify, withdraw } from "../notifications/store";
import { toast } from "../notifications/toast";

/** The specification's sentence (section 8). */
export const CONNECTION_LOST =
  "We were unable to connect to the messaging service. You may need to refresh your browser";

const SLUG = "realtime";
let isShown = false;

/** One notice for each outage, however often the connection is tried meanwhile. */
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
