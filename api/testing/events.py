"""The events that a test's changes have queued for browsers."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select

from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from cluster.wording.message import message_of


async def events_of(state: AppState) -> list[dict[str, Any]]:
    """The payload of each event as an English page gets it, oldest first."""
    async with state.database.read() as session:
        payloads = (await session.scalars(select(OutboxMessage.payload).order_by(OutboxMessage.id))).all()
    return [as_sent(payload["data"]) for payload in payloads if "data" in payload]


def as_sent(data: dict[str, Any]) -> dict[str, Any]:
    """With its sentence in English, which is a code until it is delivered."""
    message = data.get("message")
    return {**data, "message": str(message_of(message))} if isinstance(message, dict) else data
