"""Pusher protocol 7: what messages look like and what they mean. No sockets here.

Sources: pusher.com/docs/channels/library_auth_reference/pusher-websockets-protocol, and pusher-js 8 for what a
stock client does with each close code: 4000-4099 never again, 4100-4199 later, 4200-4299 at once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

PROTOCOLS = frozenset({"5", "6", "7"})
ACTIVITY_TIMEOUT_S = 120
PONG_TIMEOUT_S = 30
MAX_MESSAGE_BYTES = 10_000
MAX_CHANNELS = 100
"""Channels one socket may be in; this product needs one."""


class Code(IntEnum):
    """Codes of `pusher:error`, used as close codes where the connection ends."""

    UNKNOWN_KEY = 4001
    BAD_PROTOCOL = 4007
    NO_PROTOCOL = 4008
    UNAUTHORIZED = 4009
    TOO_SLOW = 4100
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


CLIENT_EVENT_PREFIX = "client-"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something was not done. `closes` says whether the connection ends with it."""

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
CLIENT_EVENT = Refusal(Code.CLIENT_EVENT, "Events from clients are switched off.")
TOO_LARGE = Refusal(Code.TOO_LARGE, f"Messages may be {MAX_MESSAGE_BYTES} bytes at most.", closes=True)
TOO_SLOW = Refusal(Code.TOO_SLOW, "You are too slow to receive your events. Connect again.", closes=True)
NO_PONG = Refusal(Code.NO_PONG, "No answer to a ping. Connect again.", closes=True)
GOING_AWAY = Refusal(Code.RECONNECT, "The server restarts. Connect again.", closes=True)


@dataclass(frozen=True, slots=True)
class Incoming:
    event: str
    data: dict[str, Any]


def parse(text: str) -> Incoming | Refusal:
    """A client's message. `data` may be an object or, as the protocol has it elsewhere, JSON in a string."""
    if len(text.encode(errors="replace")) > MAX_MESSAGE_BYTES:
        return TOO_LARGE
    try:
        message = json.loads(text)
        data = message.get("data") if isinstance(message, dict) else None
        if isinstance(data, str):
            data = json.loads(data) if data.startswith("{") else {}
    except (ValueError, RecursionError):
        return BAD_MESSAGE
    if not isinstance(message, dict) or not isinstance(message.get("event"), str):
        return BAD_MESSAGE
    if message["event"].startswith(CLIENT_EVENT_PREFIX):
        return CLIENT_EVENT
    return Incoming(message["event"], data if isinstance(data, dict) else {})


def frame(event: str, data: Any = None, channel: str | None = None) -> str:
    """A message to a client; anything but a string is put into `data` as JSON in a string, as clients expect."""
    message: dict[str, Any] = {"event": event}
    if channel is not None:
        message["channel"] = channel
    message["data"] = data if isinstance(data, str) else _json({} if data is None else data)
    return _json(message)


def established(socket_id: str) -> str:
    return frame(Event.ESTABLISHED, {"socket_id": socket_id, "activity_timeout": ACTIVITY_TIMEOUT_S})


def error(refusal: Refusal) -> str:
    """`pusher:error` alone carries an object, not a string."""
    return _json({"event": Event.ERROR, "data": {"code": int(refusal.code), "message": refusal.message}})


def subscription_error(channel: str, refusal: Refusal) -> str:
    data = {"type": "AuthError", "error": refusal.message, "status": 403}
    return frame(Event.SUBSCRIPTION_ERROR, data, channel)


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
