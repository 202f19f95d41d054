"""Accounts that may not do everything: a demo account that others can reach, and people who owe something first."""

from __future__ import annotations

from api.people.users.models import NO_PASSWORD, User
from api.platform.settings import ApiSettings
from cluster.wording.message import Message


def must_verify(settings: ApiSettings, user: User) -> bool:
    """Whether the person may only use account calls for now: invoices go to an address that works."""
    return settings.billing and user.email_verified_at is None


def must_add_factor(settings: ApiSettings, user: User, *, asked_by_team: bool) -> bool:
    """Whether the person may only use account calls until they have an authenticator app."""
    if has_factor(user):
        return False
    return (
        asked_by_team or settings.second_factor == "everybody" or (settings.second_factor == "admins" and user.is_admin)
    )


def has_factor(user: User) -> bool:
    """Who has no password signs in with a passkey or a provider, which ask for more than one factor themselves."""
    return user.second_factor_at is not None or user.password_hash == NO_PASSWORD


DEMO_EMAIL = "demo@sagascript.local"
DEMO_LOCKED = Message(
    "users.demo_locked",
    "The demo account works only while this installation can be reached from its own machine alone. "
    "Create an account of your own instead.",
)


def is_locked(settings: ApiSettings, user: User) -> bool:
    """Whether this is the demo account of an installation that others can reach, even one that moved later."""
    return user.email == DEMO_EMAIL and not settings.is_private
