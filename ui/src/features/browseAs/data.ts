/** Browse-as from the page: each step loads everything anew, because the account changes under the page. */
import { api, unwrap } from "../../platform/api/client";

/** Open an account at its files. */
export async function startBrowsing(id: string, reason: string, to = "/dashboard"): Promise<void> {
  await unwrap(api.POST("/api/browse-as", { body: { id, reason } }));
  window.location.assign(to);
}

export async function allowChanges(may_change: boolean): Promise<void> {
  await unwrap(api.POST("/api/browse-as/changes", { body: { may_change } }));
}

/** Return to one's own account, at the customer's page. */
export async function endBrowsing(id?: string): Promise<void> {
  await unwrap(api.DELETE("/api/browse-as"));
  window.location.assign(id === undefined ? "/admin/users" : `/admin/users/${id}`);
}
