"""Documents the events of the relay in OpenAPI, so that the front end's type of them is generated."""

from __future__ import annotations

from fastapi import APIRouter

from api.realtime.messages import EVENT, PollingMessage

webhooks = APIRouter()


@webhooks.post(EVENT)
async def polling_files(message: PollingMessage) -> None:
    """The event that the server sends to a user's private channel, by the relay and not by HTTP."""
