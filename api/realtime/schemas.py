from __future__ import annotations

from pydantic import BaseModel


class ChannelRequest(BaseModel):
    """What pusher-js sends before it subscribes to a private channel."""

    socket_id: str
    channel_name: str


class ChannelAuth(BaseModel):
    auth: str


class Initiated(BaseModel):
    sent: int
