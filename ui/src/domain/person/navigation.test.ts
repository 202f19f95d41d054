import { describe, expect, it } from "vitest";
import { activeTeamOf, PERSONAL, redirectFor, type Visitor } from "./navigation";

const member: Visitor = {
  has_subscription: true,
  has_team: false,
  has_incomplete_payment: false,
  has_ended_subscription: false,
  is_admin: false,
};
const none = { ...member, has_subscription: false };

describe("redirectFor", () => {
  it.each<[string, Visitor | undefined, string | undefined]>([
    ["/dashboard", undefined, "/login"],
    ["/captions/abc", undefined, "/login"],
    ["/", undefined, undefined],
    ["/login", undefined, undefined],
    ["/register", undefined, undefined],
    ["/reset/password", undefined, undefined],
    ["/email/verification/1/abc", undefined, undefined],
    ["/error", undefined, undefined],
    ["/errors", undefined, "/login"],
    ["/subscription", undefined, "/login"],
    ["/loginx", undefined, "/login"],
    ["/login", member, "/dashboard"],
    ["/reset/password", member, "/dashboard"],
    ["/", member, "/dashboard"],
    ["/captions/abc", member, undefined],
    ["/admin/users", member, "/dashboard"],
    ["/admin/users", { ...member, is_admin: true }, undefined],
    ["/dashboard", none, "/onboarding/billing"],
    ["/dashboard", { ...none, has_incomplete_payment: true }, "/subscription"],
    ["/dashboard", { ...none, has_ended_subscription: true }, "/subscription"],
    ["/dashboard", { ...none, has_team: true }, undefined],
    ["/dashboard", { ...member, must_verify_email: true }, "/email/verification"],
    ["/onboarding/billing", { ...none, must_verify_email: true }, "/email/verification"],
    ["/settings", { ...none, must_verify_email: true }, undefined],
    ["/email/verification", { ...none, must_verify_email: true }, undefined],
    ["/invitation", undefined, undefined],
    ["/invitation", none, undefined],
    ["/subscription", none, undefined],
    ["/error", none, undefined],
    ["/onboarding/billing", none, undefined],
    ["/settings", none, undefined],
    ["/settings", undefined, "/login"],
    ["/settingsx", none, "/onboarding/billing"],
    ["/admin/users", { ...none, is_admin: true }, undefined],
    ["/teams/browseas-1", { ...none, is_admin: true }, undefined],
    ["/teams/browseas-1", none, "/onboarding/billing"],
    ["/teams", { ...none, is_admin: true }, "/onboarding/billing"],
  ])("%s for %o goes to %s", (path, visitor, target) => {
    expect(redirectFor(path, visitor)).toBe(target);
  });
});

describe("activeTeamOf", () => {
  const teams = [
    { id: "left", is_active: false },
    { id: "first", is_active: true },
    { id: "second", is_active: true },
  ];
  it.each([
    ["without a subscription: the first active team", { ...none, has_team: true, teams }, "first"],
    ["with a subscription: none", { ...member, has_team: true, teams }, undefined],
    ["without a team: none", { ...none, teams: [] }, undefined],
    ["the chosen one", { ...member, has_team: true, teams }, "second", "second"],
    ["not one they have left", { ...member, has_team: true, teams }, undefined, "left"],
    ["never none without a subscription", { ...none, has_team: true, teams }, "first", PERSONAL],
  ])("%s", (_what, user, id, choice?: string) => expect(activeTeamOf(user, choice)).toBe(id));
});
