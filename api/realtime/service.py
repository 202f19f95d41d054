"""Who may listen to which channel."""

from __future__ import annotations

import uuid

from api.http.errors import Forbidden
from api.realtime.messages import channel_of
from api.realtime.signing import CHANNEL_NAME, SOCKET_ID, sign_channel
from api.settings import ApiSettings


def authorize(settings: ApiSettings, user_id: uuid.UUID, *, socket_id: str, channel: str) -> str:
    """The signature that lets a socket subscribe. Raises `Forbidden` unless the channel is this user's own."""
    well_formed = SOCKET_ID.fullmatch(socket_id) and CHANNEL_NAME.fullmatch(channel)
    if not well_formed or channel != channel_of(user_id):
        raise Forbidden
    return sign_channel(settings.realtime_key, settings.relay_secret, socket_id=socket_id, channel=channel)
