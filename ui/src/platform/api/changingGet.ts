import { callHeaders, csrfToken, unwrap } from "./client";

type Answer<T> = { data?: T; error?: unknown; response: Response };

/**
 * Make a GET that changes something: it carries the anti-forgery header that other changing calls have, and is repeated
 * once with a new token where that is stale.
 */
export function changingGet<T>(
  call: (headers: Record<string, string>) => Promise<Answer<T>>,
): Promise<T> {
  const once = async (renew: boolean) =>
    call({ ...(await callHeaders("GET")), "X-XSRF-TOKEN": await csrfToken(renew) });
  return unwrap(once(false).then((first) => (first.response.status === 419 ? once(true) : first)));
}
