"""The events that a test's changes have queued for browsers."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage


async def events_of(state: AppState) -> list[dict[str, Any]]:
    """The payload of each event, oldest first."""
    async with state.database.read() as session:
        payloads = (await session.scalars(select(OutboxMessage.payload).order_by(OutboxMessage.id))).all()
    return [payload["data"] for payload in payloads if "data" in payload]
