"""Send a mail once the transaction is committed."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

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
