"""Events, written in the same transaction as the change and sent after the commit."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncSession

from api.jobs.models import OutboxMessage
from api.realtime.messages import EVENT, channel_of
from api.realtime.notices import Notice


def add_event(session: AsyncSession, notice: Notice) -> None:
    """Send the notice to the browsers of its audience once this transaction is committed."""
    data = notice.message.to_wire()
    for user_id in notice.audience.user_ids:
        session.add(OutboxMessage(topic=EVENT, payload={"channel": channel_of(user_id), "data": data}))
