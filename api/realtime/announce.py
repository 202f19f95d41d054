"""Tell a user's pages of a change, once it is committed."""

from __future__ import annotations

import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from api.jobs.models import OutboxMessage
from api.realtime.messages import POLLING_EVENT, PollingMessage, polling_channel


def announce(session: AsyncSession, user_id: uuid.UUID, message: PollingMessage) -> None:
    """Write `message` to the outbox in the caller's transaction; it is published after the commit, in order."""
    session.add(
        OutboxMessage(
            topic=POLLING_EVENT,
            payload={"channel": polling_channel(user_id), "data": message.model_dump(mode="json", exclude_none=True)},
        )
    )
