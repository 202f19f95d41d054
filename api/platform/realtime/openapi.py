"""Document the relay's events in OpenAPI, so that the front end's type for them is generated."""

from __future__ import annotations

from fastapi import APIRouter

from api.platform.realtime.messages import EVENT, PRESENCE_EVENT, PollingMessage, PresenceMessage

webhooks = APIRouter()


@webhooks.post(EVENT)
async def polling_files(message: PollingMessage) -> None:
    """The event that the server sends to a user's private channel, through the relay rather than HTTP."""


@webhooks.post(PRESENCE_EVENT)
async def captions_presence(message: PresenceMessage) -> None:
    """Who else has captions open, sent to the private channels of everybody who may see them."""
