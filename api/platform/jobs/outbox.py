"""Events, written in the same transaction as the change and sent after the commit."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.jobs.models import OutboxMessage
from api.platform.realtime.messages import EVENT, channel_of
from api.platform.realtime.notices import Notice
from api.platform.realtime.service import relay_user

CONNECTION_END = "realtime.end"
"""The topic of messages that name users of the relay whose connections end."""

TEAM = "team"
"""The key of a payload that names the team to which its receiver must still belong."""


def add_event(session: AsyncSession, notice: Notice) -> None:
    """Send the notice to the browsers of its audience once this transaction is committed.

    An event about a team's work names the team, so that somebody who has left it by then gets nothing.
    """
    data = notice.message.to_outbox()
    team = {} if notice.audience.team_id is None else {TEAM: str(notice.audience.team_id)}
    for user_id in notice.audience.user_ids:
        session.add(OutboxMessage(topic=EVENT, payload={"channel": channel_of(user_id), "data": data, **team}))


def end_connections(session: AsyncSession, session_ids: Iterable[uuid.UUID], *, at: datetime | None = None) -> None:
    """End the realtime connections of these browser sessions once this transaction is committed, or later, `at`."""
    for session_id in session_ids:
        payload = {"user": relay_user(session_id)}
        session.add(OutboxMessage(topic=CONNECTION_END, payload=payload, not_before=at))
