/**
 * A sign-out whose call did not arrive. The session's cookie is hidden from the page, so the browser remembers that the
 * person has left: they stay signed out here, and the next visit ends the session on the server.
 */
import { api, ApiError, unwrap } from "../../platform/api/client";

const KEY = "sagascript.signed-out";

export function rememberSignOut(): void {
  localStorage.setItem(KEY, "1");
}

export function forgetSignOut(): void {
  localStorage.removeItem(KEY);
}

export const isSignOutPending = (): boolean => localStorage.getItem(KEY) !== null;

/** Whether a sign-out had not reached the server yet; tries to send it. */
export async function resumeSignOut(): Promise<boolean> {
  if (!isSignOutPending()) return false;
  try {
    await endSession();
    forgetSignOut();
  } catch {
    // Still unreachable: the next visit tries again.
    return true;
  }
  return true;
}

/**
 * End the session on the server. Throws when it could not be reached or refused. Resolves to where an identity provider
 * ends its session too, if one signed the person in.
 */
export async function endSession(): Promise<string | undefined> {
  try {
    const answer: { data?: { url: string } } | undefined = await unwrap(
      api.POST("/api/user/logout"),
    );
    return answer?.data?.url;
  } catch (error) {
    // The session has already ended.
    if (error instanceof ApiError && error.status === 401) return undefined;
    throw error;
  }
}
