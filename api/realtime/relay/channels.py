"""Who listens to what: the channels of one relay process, and what a client's message does to them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from api.realtime.relay import protocol
from api.realtime.relay.protocol import Event, Incoming, Refusal
from api.realtime.signing import CHANNEL_NAME, channel_auth_fits

PRIVATE_PREFIX = "private-"
PRESENCE_PREFIX = "presence-"


class Listener(Protocol):
    """One connection as the channels see it."""

    socket_id: str
    channels: set[str]

    def offer(self, frame: str) -> None:
        """Queue a frame. Never waits and never raises."""
        ...


@dataclass(frozen=True)
class Application:
    """The one application of a relay: its public key and the secret that signs for it."""

    app_id: str
    key: str
    secret: str = field(repr=False)


class Channels:
    def __init__(self, application: Application) -> None:
        self.application = application
        self._listeners: dict[str, set[Listener]] = {}

    def __len__(self) -> int:
        return len(self._listeners)

    def handle(self, listener: Listener, message: Incoming) -> Refusal | None:
        """Do what a client asks; what went wrong, when something did."""
        match message.event:
            case Event.PING:
                listener.offer(protocol.frame(Event.PONG))
            case Event.PONG:
                pass
            case Event.SUBSCRIBE:
                return self._subscribe(listener, message)
            case Event.UNSUBSCRIBE:
                self._leave(listener, str(message.data.get("channel", "")))
            case _:
                return protocol.BAD_MESSAGE
        return None

    def publish(self, channel: str, event: str, data: str, *, but: str | None = None) -> int:
        """Send an event to a channel's listeners, except the socket `but`; how many there were."""
        listeners = [each for each in self._listeners.get(channel, ()) if each.socket_id != but]
        # Written once for all: the text of a frame is the same for each listener.
        text = protocol.frame(event, data, channel) if listeners else ""
        for listener in listeners:
            listener.offer(text)
        return len(listeners)

    def leave_all(self, listener: Listener) -> None:
        for channel in tuple(listener.channels):
            self._leave(listener, channel)

    def _subscribe(self, listener: Listener, message: Incoming) -> Refusal | None:
        channel = message.data.get("channel")
        if not isinstance(channel, str) or not CHANNEL_NAME.fullmatch(channel):
            return protocol.BAD_CHANNEL
        refusal = self._refusal(listener, channel, message)
        if refusal is not None:
            listener.offer(protocol.subscription_error(channel, refusal))
            return refusal
        self._listeners.setdefault(channel, set()).add(listener)
        listener.channels.add(channel)
        listener.offer(protocol.frame(Event.SUBSCRIBED, {}, channel))
        return None

    def _refusal(self, listener: Listener, channel: str, message: Incoming) -> Refusal | None:
        if channel not in listener.channels and len(listener.channels) >= protocol.MAX_CHANNELS:
            return protocol.TOO_MANY_CHANNELS
        if channel.startswith(PRESENCE_PREFIX):
            return protocol.BAD_CHANNEL
        if not channel.startswith(PRIVATE_PREFIX):
            return None
        auth = message.data.get("auth")
        mine = self.application
        fits = isinstance(auth, str) and channel_auth_fits(
            auth, mine.key, mine.secret, socket_id=listener.socket_id, channel=channel
        )
        return None if fits else protocol.UNAUTHORIZED

    def _leave(self, listener: Listener, channel: str) -> None:
        listener.channels.discard(channel)
        listeners = self._listeners.get(channel)
        if listeners is not None:
            listeners.discard(listener)
            if not listeners:
                del self._listeners[channel]


def new_socket_id(taken: Iterable[str] = ()) -> str:
    while True:
        socket_id = f"{secrets.randbelow(10**9)}.{secrets.randbelow(10**9)}"
        if socket_id not in taken:
            return socket_id
