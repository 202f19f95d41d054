"""Mails that have not left: those that wait, and those we no longer try to send."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement

from api.platform.jobs.models import OutboxMessage
from api.platform.mail.outgoing import MAIL

_VALID_FOR = {"minutes": "minutes", "hours": "hours", "days": "days"}
"""Fields of a mail that say how long its link works, and the unit."""


def is_unsent() -> ColumnElement[bool]:
    return (OutboxMessage.topic == MAIL) & OutboxMessage.published_at.is_(None)


def link_ends_at(payload: Mapping[str, Any]) -> datetime | None:
    """When the link in a mail stops working; None for a mail without one that ends."""
    for name, unit in _VALID_FOR.items():
        if name in payload and "at" in payload:
            return datetime.fromisoformat(payload["at"]) + timedelta(**{unit: int(payload[name])})
    return None
