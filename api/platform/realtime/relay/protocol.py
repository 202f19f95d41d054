"""Pusher protocol 7: the form and the meaning of its messages. No sockets here.

Sources: pusher.com/docs/channels/library_auth_reference/pusher-websockets-protocol, and pusher-js 8 for what a
stock client does with each close code: 4000-4099 never again, 4100-4199 later, 4200-4299 at once.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Container
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

PROTOCOLS = frozenset({"5", "6", "7"})
ACTIVITY_TIMEOUT_S = 120
PONG_TIMEOUT_S = 30
MAX_MESSAGE_BYTES = 10 * 1024
"""The largest client message and event data. Pusher has 10 kB too, and its libraries check it."""
MAX_CHANNELS = 100
"""Channels one socket may be in. This product needs one."""

MAX_MEMBERS = 100
"""Users of one presence channel, the same as Pusher's limit, because each is told about every other one."""

MAX_USER_ID = 128
MAX_USER_BYTES = 2_000
PRIVATE_PREFIX = "private-"
PRESENCE_PREFIX = "presence-"
USER_PREFIX = "#server-to-user-"
"""The prefix of a signed-in user's channel, to which `sendToUser` of the server libraries publishes."""


class Code(IntEnum):
    """Codes of `pusher:error`, also used as close codes."""

    UNKNOWN_KEY = 4001
    OVER_QUOTA = 4004
    BAD_PROTOCOL = 4007
    NO_PROTOCOL = 4008
    UNAUTHORIZED = 4009
    OVER_CAPACITY = 4100
    RECONNECT = 4200
    NO_PONG = 4201
    BAD_MESSAGE = 4300
    CLIENT_EVENT = 4301
    TOO_LARGE = 4302


class Event(StrEnum):
    ESTABLISHED = "pusher:connection_established"
    ERROR = "pusher:error"
    PING = "pusher:ping"
    PONG = "pusher:pong"
    SUBSCRIBE = "pusher:subscribe"
    UNSUBSCRIBE = "pusher:unsubscribe"
    SUBSCRIBED = "pusher_internal:subscription_succeeded"
    SUBSCRIPTION_ERROR = "pusher:subscription_error"
    MEMBER_ADDED = "pusher_internal:member_added"
    MEMBER_REMOVED = "pusher_internal:member_removed"
    SIGNIN = "pusher:signin"
    SIGNED_IN = "pusher:signin_success"


CLIENT_EVENT_PREFIX = "client-"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a message was refused. `closes` says whether that ends the connection."""

    code: Code
    message: str
    closes: bool = False


UNKNOWN_KEY = Refusal(Code.UNKNOWN_KEY, "No application has this key. Check the realtime key.", closes=True)
NO_PROTOCOL = Refusal(Code.NO_PROTOCOL, "Name the protocol version in the address: protocol=7.", closes=True)
BAD_PROTOCOL = Refusal(Code.BAD_PROTOCOL, "This protocol version is not supported. Use version 7.", closes=True)
BAD_ORIGIN = Refusal(Code.UNAUTHORIZED, "Pages of this address may not connect here.", closes=True)
UNAUTHORIZED = Refusal(Code.UNAUTHORIZED, "You may not listen to this channel.")
BAD_CHANNEL = Refusal(Code.UNAUTHORIZED, "There is no channel of this name.")
TOO_MANY_CHANNELS = Refusal(Code.UNAUTHORIZED, f"One connection may listen to {MAX_CHANNELS} channels at most.")
BAD_MESSAGE = Refusal(Code.BAD_MESSAGE, "The message is not a Pusher message.")
CLIENT_EVENTS_OFF = Refusal(Code.CLIENT_EVENT, "Events from clients are switched off.")
CLIENT_EVENT_ELSEWHERE = Refusal(
    Code.CLIENT_EVENT, "Clients may send events to private and presence channels that they listen to."
)
CLIENT_EVENTS_TOO_FAST = Refusal(Code.CLIENT_EVENT, "You send events too fast. Send fewer than ten a second.")
TOO_LARGE = Refusal(Code.TOO_LARGE, f"Messages may be {MAX_MESSAGE_BYTES} bytes at most.", closes=True)
BAD_MEMBER = Refusal(Code.UNAUTHORIZED, "A presence channel needs `channel_data` with a `user_id`.")
TOO_MANY_MEMBERS = Refusal(Code.UNAUTHORIZED, f"A presence channel holds {MAX_MEMBERS} users at most.")
BAD_USER = Refusal(Code.UNAUTHORIZED, "The sign-in is not signed for this connection.", closes=True)
NOT_AUTHORIZED_IN_TIME = Refusal(
    Code.UNAUTHORIZED, "You joined no private channel in time. Sign in and connect again.", closes=True
)
TERMINATED = Refusal(Code.UNAUTHORIZED, "Your connections were ended by the server.", closes=True)
OVER_QUOTA = Refusal(Code.OVER_QUOTA, "The application has as many connections as it may have.", closes=True)
OVER_CAPACITY = Refusal(Code.OVER_CAPACITY, "The server is full. Try again in a while.", closes=True)
TOO_MANY_FROM_ADDRESS = Refusal(
    Code.OVER_CAPACITY, "Too many connections come from your address. Try again in a while.", closes=True
)
TOO_FAST = Refusal(Code.OVER_CAPACITY, "You send messages too fast. Try again in a while.", closes=True)
NO_PONG = Refusal(Code.NO_PONG, "No answer to a ping. Connect again.", closes=True)
GOING_AWAY = Refusal(Code.RECONNECT, "The server restarts. Connect again.", closes=True)
EVENTS_MISSED = Refusal(Code.RECONNECT, "Events were missed. Connect again and fetch what is new.", closes=True)


@dataclass(frozen=True, slots=True)
class Incoming:
    """`raw` is the data as received, which goes out unchanged with a client's event."""

    event: str
    data: dict[str, Any]
    channel: str = ""
    raw: Any = None

    @property
    def is_client_event(self) -> bool:
        return self.event.startswith(CLIENT_EVENT_PREFIX)


def parse(text: str) -> Incoming | Refusal:
    """Parse a client's message. `data` may be an object or, as elsewhere in the protocol, JSON in a string."""
    if len(text.encode(errors="replace")) > MAX_MESSAGE_BYTES:
        return TOO_LARGE
    try:
        message = json.loads(text)
        raw = message.get("data") if isinstance(message, dict) else None
        data = raw
        if isinstance(data, str):
            data = json.loads(data) if data.startswith("{") else {}
    except (ValueError, RecursionError):
        return BAD_MESSAGE
    if not isinstance(message, dict) or not isinstance(message.get("event"), str):
        return BAD_MESSAGE
    channel = message.get("channel")
    return Incoming(
        message["event"],
        data if isinstance(data, dict) else {},
        channel if isinstance(channel, str) else "",
        raw,
    )


def frame(event: str, data: Any = None, channel: str | None = None) -> str:
    """Build a message to a client. Anything but a string goes into `data` as JSON in a string, as clients expect."""
    message: dict[str, Any] = {"event": event}
    if channel is not None:
        message["channel"] = channel
    message["data"] = data if isinstance(data, str) else _json({} if data is None else data)
    return _json(message)


def established(socket_id: str) -> str:
    return frame(Event.ESTABLISHED, {"socket_id": socket_id, "activity_timeout": ACTIVITY_TIMEOUT_S})


def error(refusal: Refusal) -> str:
    """Only `pusher:error` carries an object rather than a string."""
    return _json({"event": Event.ERROR, "data": {"code": int(refusal.code), "message": refusal.message}})


def subscription_error(channel: str, refusal: Refusal) -> str:
    data = {"type": "AuthError", "error": refusal.message, "status": 403}
    return frame(Event.SUBSCRIPTION_ERROR, data, channel)


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def new_socket_id(taken: Container[str] = ()) -> str:
    while True:
        socket_id = f"{secrets.randbelow(10**9)}.{secrets.randbelow(10**9)}"
        if socket_id not in taken:
            return socket_id
