"""Send a mail once the transaction is committed."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.jobs.models import OutboxMessage
from api.mail.messages import Mail

MAIL = "mail"
"""The topic of mails in the outbox."""


def send_later(session: AsyncSession, mail: Mail) -> None:
    session.add(OutboxMessage(topic=MAIL, payload=mail.payload()))
