/** The navigation rules as one pure function. */

export interface Visitor {
  has_subscription: boolean;
  has_team: boolean;
  has_incomplete_payment: boolean;
  has_ended_subscription: boolean;
  is_admin: boolean;
  /** Only account calls work until they open the link in our mail. */
  must_verify_email?: boolean;
  /** Only account calls work until they have an authenticator app. */
  must_add_factor?: boolean;
}

/** The pages of the auth layout. Visitors may also see `/`, the landing page. */
const OPEN_TO_VISITORS = [
  "/login",
  "/register",
  "/sign-in/",
  "/reset/",
  "/email/verification",
  "/invitation",
  "/review/",
  "/watch/",
  "/error",
];
const ONLY_FOR_VISITORS = ["/login", "/reset/password"];
const NO_SUBSCRIPTION_NEEDED = [
  "/error",
  "/login",
  "/register",
  "/sign-in",
  "/subscription",
  "/onboarding/billing",
  "/email/verification",
  "/invitation",
  "/review",
  "/watch",
  "/reset",
  // Whatever somebody pays, they reach, take along and delete what is theirs.
  "/settings",
];

/** Joining a team by its invitation verifies the address. */
const UNVERIFIED = [
  "/sign-in",
  "/email/verification",
  "/invitation",
  "/review",
  "/watch",
  "/settings",
  "/error",
];

/** Pages of administrators, who need no plan for them. An account is opened under an address of its own. */
const ADMIN = ["/admin"];
const BROWSE_AS = /^\/teams\/browseas-[^/]+$/;

const matches = (path: string, prefixes: string[]): boolean =>
  prefixes.some(
    (prefix) => path === prefix || path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`),
  );

/** Where to redirect a visitor of `path`; undefined if they may stay. */
export function redirectFor(path: string, visitor: Visitor | undefined): string | undefined {
  if (visitor === undefined)
    return path === "/" || matches(path, OPEN_TO_VISITORS) ? undefined : "/login";
  if (visitor.must_verify_email === true)
    return matches(path, UNVERIFIED) ? undefined : "/email/verification";
  if (visitor.must_add_factor === true)
    return matches(path, UNVERIFIED) ? undefined : "/settings?section=password";
  if (path === "/" || matches(path, ONLY_FOR_VISITORS)) return "/dashboard";
  if (matches(path, ADMIN)) return visitor.is_admin ? undefined : "/dashboard";
  if (visitor.is_admin && BROWSE_AS.test(path)) return undefined;
  if (visitor.has_subscription || visitor.has_team || matches(path, NO_SUBSCRIPTION_NEEDED))
    return undefined;
  return visitor.has_incomplete_payment || visitor.has_ended_subscription
    ? "/subscription"
    : "/onboarding/billing";
}

/** The choice to work for no team. */
export const PERSONAL = "personal";

/**
 * The team whose id is sent with every call: the chosen one while it is theirs. People without a subscription always
 * work through a team, at first through their first active one.
 */
export function activeTeamOf(
  user: Visitor & { teams: { id: string; is_active: boolean }[] },
  choice?: string,
): string | undefined {
  const active = user.teams.filter((team) => team.is_active);
  const chosen = active.find((team) => team.id === choice);
  if (chosen !== undefined) return chosen.id;
  if (user.has_subscription || !user.has_team) return undefined;
  return active[0]?.id;
}
