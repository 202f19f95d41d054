"""Whether somebody has shown that mail to their address reaches them."""

from __future__ import annotations

from api.people.users.models import User
from api.platform.settings import ApiSettings


def must_verify(settings: ApiSettings, user: User) -> bool:
    """Whether the person may only use account calls for now: invoices go to an address that works."""
    return settings.billing and user.email_verified_at is None
