"""One client as the relay sees it, whatever its transport."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from api.platform.realtime.relay.events import Frames
from api.platform.realtime.relay.limits import Bucket
from api.platform.realtime.relay.protocol import Refusal

QUEUE_BYTES = 256 * 1024
"""The most that may wait for one client, beyond the kernel's buffers. A state event has 200 bytes."""

CLOSE_S = 2.0
"""How long a client that does not read may delay its own closing."""


class Connection(ABC):
    __slots__ = (
        "address",
        "channels",
        "client_events",
        "heard_at",
        "is_authorized",
        "is_pinged",
        "members",
        "messages",
        "opened_at",
        "socket_id",
        "user_id",
    )

    def __init__(self, address: str) -> None:
        now = asyncio.get_running_loop().time()
        self.address = address
        self.socket_id = ""
        self.channels: set[str] = set()
        self.members: dict[str, str] = {}
        """The presence channels of the connection, and its user in each."""
        self.user_id: str | None = None
        self.is_authorized = False
        self.opened_at = self.heard_at = now
        self.is_pinged = False
        self.messages: Bucket | None = None
        self.client_events: Bucket | None = None

    def tell(self, text: str) -> None:
        self.send(Frames([text]))

    @abstractmethod
    def send(self, frames: Frames) -> None:
        """Send, or buffer up to a limit. Never waits and never raises. Disconnects a client that is too slow."""

    @abstractmethod
    def close(self, refusal: Refusal) -> None:
        """Send the reason and close the connection. Drop it after `CLOSE_S` if the client does not read."""

    @property
    @abstractmethod
    def is_closing(self) -> bool:
        """Whether nothing more will be sent."""

    def is_left(self, now: float) -> bool:
        """Whether the client stopped collecting messages. A transport with its own connection sees that end instead."""
        return False
