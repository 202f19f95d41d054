from __future__ import annotations

from pydantic import BaseModel


class ChannelRequest(BaseModel):
    """What pusher-js sends before it subscribes to a private channel."""

    socket_id: str
    channel_name: str


class ChannelAuth(BaseModel):
    """`channel_data` is part of what is signed and goes to the relay with `auth`, as pusher-js does by itself."""

    auth: str
    channel_data: str


class SentCount(BaseModel):
    sent: int
