from __future__ import annotations

import uuid
from datetime import datetime

from pydantic import BaseModel

from api.people.plans.tiers import PlanTier
from api.people.teams.models import TeamRole


class TeamOut(BaseModel):
    """A team as one of its members sees it. `payer`: whether their plan pays for it. `members` counts people.

    `language` is the one that pages offer first for uploads into the team. `keep_days`: its files go to the bin after
    so many days.
    """

    id: uuid.UUID
    name: str
    is_active: bool
    role: TeamRole
    payer: bool
    members: int
    language: str | None
    keep_days: int | None


class BrowseAs(BaseModel):
    """An administrator is using this account: their name, until when, and whether they may change things."""

    admin_name: str
    ends_at: datetime
    may_change: bool


class UserOut(BaseModel):
    """`has_subscription` is true for everybody where people need no plan. `has_team`: an active team that is paid for.
    `has_free_minutes`: free minutes stand in for a plan, which counts as a subscription until their day.

    `has_incomplete_payment` and `has_ended_subscription` are for the page about the subscription, which says what to
    do about either.

    `has_password` is false for people who sign in with an identity provider or passkeys alone.
    `has_second_factor`: signing in with the password takes a code too. `has_passkeys`: a passkey signs in alone.

    `must_add_factor`: the same until they have an authenticator app, which the installation or `factor_teams` ask for.

    `must_verify_email`: this person may only use account calls until they open the link in our mail. `pending_email` is
    a new address that waits for its link to be opened.
    """

    id: uuid.UUID
    name: str
    email: str
    email_verified: bool
    locale: str
    teams: list[TeamOut]
    plan: PlanTier
    has_subscription: bool
    has_free_minutes: bool
    has_team: bool
    has_incomplete_payment: bool
    has_ended_subscription: bool
    is_admin: bool
    has_password: bool
    has_second_factor: bool
    has_passkeys: bool
    must_verify_email: bool
    must_add_factor: bool
    factor_teams: list[uuid.UUID]
    pending_email: str | None
    avatar_url: str | None
    browse_as: BrowseAs | None = None
