"""The demo account, and where it may be used."""

from __future__ import annotations

from api.people.users.models import User
from api.platform.settings import ApiSettings

DEMO_EMAIL = "demo@sagascript.local"
DEMO_LOCKED = (
    "The demo account works only while this installation can be reached from its own machine alone. "
    "Create an account of your own instead."
)


def is_locked(settings: ApiSettings, user: User) -> bool:
    """Whether this is the demo account of an installation that others can reach, even one that moved later."""
    return user.email == DEMO_EMAIL and not settings.is_private
