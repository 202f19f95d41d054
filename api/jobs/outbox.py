"""Events written with the change they tell of, and sent by the publisher after the commit."""

from __future__ import annotations

import uuid

from sqlalchemy.ext.asyncio import AsyncSession

from api.jobs.models import OutboxMessage
from api.realtime.messages import EVENT, PollingMessage, channel_of


def add_event(session: AsyncSession, user_id: uuid.UUID, message: PollingMessage) -> None:
    """Tell the user's browsers, once this transaction is committed."""
    payload = {"channel": channel_of(user_id), "data": message.to_wire()}
    session.add(OutboxMessage(topic=EVENT, payload=payload))
