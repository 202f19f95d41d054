"""One client as the relay sees it, whatever carries its messages."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from api.realtime.relay.frames import Frames
from api.realtime.relay.limits import Bucket
from api.realtime.relay.protocol import Refusal

QUEUE_BYTES = 256 * 1024
"""What may wait for one client beside what the kernel holds. A state event has 200 bytes."""

CLOSE_S = 2.0
"""How long a client that does not read may hold up its own closing."""


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
        """Presence channels, and as which user."""
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
        """Send, or keep a bounded amount. Never waits and never raises; who is too slow is cut off."""

    @abstractmethod
    def close(self, refusal: Refusal) -> None:
        """Tell why, and end the connection; one that takes nothing is dropped after `CLOSE_S`."""

    @property
    @abstractmethod
    def is_closing(self) -> bool:
        """Whether nothing more will be sent."""

    def is_left(self, now: float) -> bool:
        """Whether nobody came for what waits: a transport with a connection of its own knows when that ends."""
        return False
