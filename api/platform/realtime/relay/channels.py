"""The listeners of each channel in one relay process, and the events that wait for the end of a tick."""

from __future__ import annotations

from collections.abc import Iterator

from api.platform.realtime.relay import protocol
from api.platform.realtime.relay.connection import Connection
from api.platform.realtime.relay.events import Frames
from api.platform.realtime.relay.tick import TICK_S, Tick

WAITING_CHARACTERS = 64 * 1024
"""More than this does not wait for the end of the tick, so that a slow client's queue grows in steps."""


class _Channel:
    __slots__ = ("listeners", "name", "size", "waiting")

    def __init__(self, name: str) -> None:
        self.name = name
        self.listeners: dict[str, Connection] = {}
        self.waiting: list[str] = []
        self.size = 0

    def send_waiting(self) -> None:
        if not self.waiting:
            return
        # All listeners get the same, so it is joined and encoded once for all of them.
        frames = Frames(self.waiting)
        self.waiting = []
        self.size = 0
        for listener in list(self.listeners.values()):
            listener.send(frames)


class Channels:
    def __init__(self, *, tick_s: float = TICK_S) -> None:
        self._channels: dict[str, _Channel] = {}
        self._changed: list[_Channel] = []
        self._tick = Tick(self.send_waiting, length_s=tick_s)

    def __len__(self) -> int:
        return len(self._channels)

    def counts(self, prefix: str = "") -> dict[str, int]:
        """The number of listening connections for each channel whose name starts with `prefix`."""
        return {name: len(each.listeners) for name, each in self._channels.items() if name.startswith(prefix)}

    def listeners(self, name: str) -> Iterator[Connection]:
        channel = self._channels.get(name)
        return iter(channel.listeners.values() if channel else ())

    def join(self, name: str, listener: Connection) -> None:
        channel = self._channels.get(name)
        if channel is None:
            channel = self._channels[name] = _Channel(name)
        # Earlier events belong to those who were listening then.
        channel.send_waiting()
        channel.listeners[listener.socket_id] = listener
        listener.channels.add(name)

    def leave(self, name: str, listener: Connection) -> None:
        listener.channels.discard(name)
        channel = self._channels.get(name)
        if channel is None:
            return
        channel.send_waiting()
        channel.listeners.pop(listener.socket_id, None)
        if not channel.listeners:
            del self._channels[name]

    def publish(self, name: str, event: str, data: str, *, but: str | None = None) -> int:
        """Send an event to a channel's listeners, except the socket `but`. Returns their number."""
        channel = self._channels.get(name)
        if channel is None:
            return 0
        text = protocol.frame(event, data, name)
        if but is not None and but in channel.listeners:
            channel.send_waiting()
            frames = Frames([text])
            others = [each for socket_id, each in channel.listeners.items() if socket_id != but]
            for listener in others:
                listener.send(frames)
            return len(others)
        if not channel.waiting:
            self._changed.append(channel)
            self._tick.need()
        channel.waiting.append(text)
        channel.size += len(text)
        if channel.size > WAITING_CHARACTERS:
            channel.send_waiting()
        return len(channel.listeners)

    def send_waiting(self) -> None:
        changed, self._changed = self._changed, []
        for channel in changed:
            channel.send_waiting()
