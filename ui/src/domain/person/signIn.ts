/** What a visitor who has to sign in takes along to that page, as the state of the navigation. */
import { createContext } from "react";

export interface SignInState {
  /** A sentence for the page. */
  notice?: string;
  /** Where they were going. */
  from?: string;
  /** The person whose session ended here although they did not sign out. */
  whose?: string;
}

/** Whether there is a page at a path. The router says it. */
export const KnownPages = createContext<(pathname: string) => boolean>(() => false);

const HOME = "/dashboard";

export const stateOf = (state: unknown): SignInState =>
  typeof state === "object" && state !== null ? state : {};

/** Where somebody goes after they signed in: where they were, unless that is no page or was another person's. */
export function placeAfterSignIn(
  state: unknown,
  userId: string,
  isKnownPage: (pathname: string) => boolean,
): string {
  const { from, whose = userId } = stateOf(state);
  if (from === undefined || whose !== userId || !/^\/(?![/\\])/.test(from)) return HOME;
  const url = new URL(from, window.location.origin);
  const isPage = url.origin === window.location.origin && isKnownPage(url.pathname);
  return isPage ? from : HOME;
}
