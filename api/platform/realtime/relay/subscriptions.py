"""The effects of a client's messages: joining and leaving channels, signing in, client events."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from api.platform.realtime.relay import protocol
from api.platform.realtime.relay.channels import Channels
from api.platform.realtime.relay.connection import Connection
from api.platform.realtime.relay.events import Publication
from api.platform.realtime.relay.presence import Presence
from api.platform.realtime.relay.protocol import PRESENCE_PREFIX, PRIVATE_PREFIX, USER_PREFIX, Event, Incoming, Refusal
from api.platform.realtime.signing import CHANNEL_NAME, channel_auth_fits, user_auth_fits


class EndedUsers:
    """A signature names a socket, not a time: one that was made just before its user was ended would still fit."""

    def __init__(self) -> None:
        self._ended_at: dict[str, float] = {}

    def __len__(self) -> int:
        return len(self._ended_at)

    def add(self, user: str, now: float) -> None:
        self._ended_at[user] = now

    def since(self, opened_at: float, user: str) -> bool:
        """Whether the user was ended after a connection opened."""
        return self._ended_at.get(user, -1.0) >= opened_at

    def forget(self, oldest_opened_at: float) -> None:
        """Drop users that no connection is older than."""
        self._ended_at = {user: at for user, at in self._ended_at.items() if at >= oldest_opened_at}


@dataclass(frozen=True)
class Application:
    """The one application of a relay: its public key and the secret that signs for it."""

    app_id: str
    key: str
    secret: str = field(repr=False)


@dataclass(frozen=True)
class Subscriptions:
    application: Application
    channels: Channels
    presence: Presence
    ended: EndedUsers = field(default_factory=EndedUsers)

    def subscribe(self, client: Connection, message: Incoming) -> Refusal | None:
        channel = message.data.get("channel")
        if not isinstance(channel, str) or not is_channel(channel):
            return protocol.BAD_CHANNEL
        member = _member(message) if channel.startswith(PRESENCE_PREFIX) else None
        refusal = self._refusal(client, channel, message, member)
        if refusal is not None:
            client.tell(protocol.subscription_error(channel, refusal))
            return refusal
        details: dict[str, Any] = {}
        if isinstance(member, _User):
            if channel not in client.channels:
                self.presence.join(channel, member.user_id, member.info)
                client.members[channel] = member.user_id
            users = self.presence.members(channel)
            details = {"presence": {"count": len(users), "ids": list(users), "hash": users}}
        user = self._listening_user(channel, message)
        if user is not None:
            client.members[channel] = user
        if channel.startswith((PRIVATE_PREFIX, PRESENCE_PREFIX)):
            client.is_authorized = True
        self.channels.join(channel, client)
        client.tell(protocol.frame(Event.SUBSCRIBED, details, channel))
        return None

    def leave(self, client: Connection, channel: str) -> None:
        if channel not in client.channels:
            return
        self.channels.leave(channel, client)
        user = client.members.pop(channel, None)
        if user is not None:
            self.presence.leave(channel, user)

    def leave_all(self, client: Connection) -> None:
        for channel in tuple(client.channels):
            self.leave(client, channel)

    def sign_in(self, client: Connection, message: Incoming) -> Refusal | None:
        """`pusher:signin`: record the connection's user, so that all connections of a user can be ended together."""
        auth, user_data = message.data.get("auth"), message.data.get("user_data")
        mine = self.application
        if not isinstance(auth, str) or not isinstance(user_data, str):
            return protocol.BAD_USER
        if not user_auth_fits(auth, mine.key, mine.secret, socket_id=client.socket_id, user_data=user_data):
            return protocol.BAD_USER
        user = _user_id(_object(user_data).get("id"))
        if user is None:
            return protocol.BAD_USER
        if client.user_id not in (None, user):
            self.leave(client, f"{USER_PREFIX}{client.user_id}")
        client.user_id = user
        client.is_authorized = True
        client.tell(protocol.frame(Event.SIGNED_IN, {"user_data": user_data}))
        return None

    def client_event(self, client: Connection, message: Incoming) -> Publication | Refusal:
        """The event for the channel's other listeners, if the client may send there."""
        channel = message.channel
        if channel not in client.channels or not channel.startswith((PRIVATE_PREFIX, PRESENCE_PREFIX)):
            return protocol.CLIENT_EVENT_ELSEWHERE
        data = message.raw if isinstance(message.raw, str) else json.dumps(message.raw, ensure_ascii=False)
        return Publication((channel,), message.event, data, client.socket_id)

    def _refusal(
        self, client: Connection, channel: str, message: Incoming, member: _User | Refusal | None
    ) -> Refusal | None:
        if channel not in client.channels and len(client.channels) >= protocol.MAX_CHANNELS:
            return protocol.TOO_MANY_CHANNELS
        if channel.startswith(USER_PREFIX):
            return None if channel == f"{USER_PREFIX}{client.user_id}" else protocol.UNAUTHORIZED
        if not channel.startswith((PRIVATE_PREFIX, PRESENCE_PREFIX)):
            return None
        if not self._is_signed(client, channel, message):
            return protocol.UNAUTHORIZED
        user = member.user_id if isinstance(member, _User) else self._listening_user(channel, message)
        if user is not None and self.ended.since(client.opened_at, user):
            return protocol.UNAUTHORIZED
        if isinstance(member, Refusal):
            return member
        if isinstance(member, _User):
            users = self.presence.members(channel)
            if member.user_id not in users and len(users) >= protocol.MAX_MEMBERS:
                return protocol.TOO_MANY_MEMBERS
        return None

    def _listening_user(self, channel: str, message: Incoming) -> str | None:
        """The user in the signed data of a private channel: with them the connection ends, and nobody sees them."""
        data = message.data.get("channel_data")
        if not channel.startswith(PRIVATE_PREFIX) or not isinstance(data, str) or len(data) > protocol.MAX_USER_BYTES:
            return None
        return _user_id(_object(data).get("user_id"))

    def _is_signed(self, client: Connection, channel: str, message: Incoming) -> bool:
        """Some servers sign `channel_data` for private channels too. Only presence channels require it."""
        auth, data = message.data.get("auth"), message.data.get("channel_data")
        if not isinstance(auth, str):
            return False
        signed: list[str | None] = [data] if isinstance(data, str) else [None]
        if isinstance(data, str) and not channel.startswith(PRESENCE_PREFIX):
            signed.append(None)
        mine = self.application
        return any(
            channel_auth_fits(
                auth, mine.key, mine.secret, socket_id=client.socket_id, channel=channel, channel_data=text
            )
            for text in signed
        )


def is_channel(name: str) -> bool:
    """Whether it is a valid channel name. User ids may contain any character."""
    if name.startswith(USER_PREFIX):
        return len(USER_PREFIX) < len(name) <= len(USER_PREFIX) + protocol.MAX_USER_ID
    return CHANNEL_NAME.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class _User:
    user_id: str
    info: Any


def _member(message: Incoming) -> _User | Refusal:
    data = message.data.get("channel_data")
    if not isinstance(data, str) or len(data) > protocol.MAX_USER_BYTES:
        return protocol.BAD_MEMBER
    parsed = _object(data)
    user_id = _user_id(parsed.get("user_id"))
    return _User(user_id, parsed.get("user_info")) if user_id is not None else protocol.BAD_MEMBER


def _user_id(value: Any) -> str | None:
    """As text, because applications send numbers too and members are compared as text."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value)
    return text if 0 < len(text) <= protocol.MAX_USER_ID else None


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
