"""Limits of the relay for one connection, one address and one application."""

from __future__ import annotations

import resource
from dataclasses import dataclass

MESSAGES_PER_S = 50.0
"""Messages of one client, counting each websocket frame. A page sends a subscription, and a ping every 2 minutes."""

MESSAGES_BURST = 300.0
"""Enough for a client to subscribe to all its allowed channels twice."""

CLIENT_EVENTS_PER_S = 10.0
"""Pusher's own limit."""

SPARE_DESCRIPTORS = 256
"""Reserved for the database, logs, Redis and requests."""


class Bucket:
    """Allow `rate` events a second, and bursts of `burst`."""

    __slots__ = ("_at", "_burst", "_left", "_rate")

    def __init__(self, rate: float, burst: float, now: float) -> None:
        self._rate = rate
        self._burst = burst
        self._left = burst
        self._at = now

    def take(self, now: float) -> bool:
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


@dataclass(frozen=True)
class Limits:
    """0 means no limit, except for `capacity`."""

    quota: int = 0
    capacity: int = 10_000
    per_address: int = 0
    authorize_within_s: float = 0.0
    calls_per_s: float = 0.0
    client_events: bool = False


def descriptors_for(connections: int) -> int:
    """Raise this process's limit of open files as far as allowed. Returns how many connections then fit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + SPARE_DESCRIPTORS
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(connections, soft - SPARE_DESCRIPTORS))
