"""Accounts that may not do everything: a demo account that others can reach, and one with an unconfirmed address."""

from __future__ import annotations

from api.people.users.models import User
from api.platform.settings import ApiSettings
from cluster.wording.message import Message


def must_verify(settings: ApiSettings, user: User) -> bool:
    """Whether the person may only use account calls for now: invoices go to an address that works."""
    return settings.billing and user.email_verified_at is None


DEMO_EMAIL = "demo@sagascript.local"
DEMO_LOCKED = Message(
    "users.demo_locked",
    "The demo account works only while this installation can be reached from its own machine alone. "
    "Create an account of your own instead.",
)


def is_locked(settings: ApiSettings, user: User) -> bool:
    """Whether this is the demo account of an installation that others can reach, even one that moved later."""
    return user.email == DEMO_EMAIL and not settings.is_private
