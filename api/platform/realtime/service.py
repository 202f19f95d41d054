"""Who may listen to which channel."""

from __future__ import annotations

import json
import uuid

from api.platform.http.errors import Forbidden
from api.platform.realtime.messages import channel_of
from api.platform.realtime.schemas import ChannelAuth
from api.platform.realtime.signing import CHANNEL_NAME, SOCKET_ID, sign_channel
from api.platform.settings import ApiSettings


def authorize(
    settings: ApiSettings, user_id: uuid.UUID, session_id: uuid.UUID | None, *, socket_id: str, channel: str
) -> ChannelAuth:
    """The signature that lets a socket subscribe. Raises `Forbidden` unless the channel is this user's own.

    The relay's user is the browser session, not the person: so the connections of one browser can be ended.
    """
    well_formed = SOCKET_ID.fullmatch(socket_id) and CHANNEL_NAME.fullmatch(channel)
    if not well_formed or channel != channel_of(user_id):
        raise Forbidden
    data = json.dumps({"user_id": relay_user(session_id or user_id)})
    auth = sign_channel(
        settings.realtime_key, settings.relay_secret, socket_id=socket_id, channel=channel, channel_data=data
    )
    return ChannelAuth(auth=auth, channel_data=data)


def relay_user(session_id: uuid.UUID) -> str:
    """A browser session as the relay knows it."""
    return str(session_id)
