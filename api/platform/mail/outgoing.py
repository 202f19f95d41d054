"""Send a mail once the transaction is committed, and find those that have not left."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.jobs.models import OutboxMessage
from api.platform.mail.messages import Mail

MAIL = "mail"
"""The topic of mails in the outbox."""


def send_later(session: AsyncSession, mail: Mail) -> None:
    """Put a mail into the outbox. Its id and time stay the same however often it is sent."""
    session.add(OutboxMessage(topic=MAIL, payload=stamped(mail)))


def stamped(mail: Mail) -> dict[str, str]:
    return mail.payload() | {"id": uuid.uuid4().hex, "at": datetime.now(UTC).isoformat()}


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
