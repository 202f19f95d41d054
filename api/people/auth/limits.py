"""How often an address may do something per minute, counted in this process alone.

Sign-ins and registrations are counted in the database instead (`attempts.py`).
"""

from __future__ import annotations

import time
from collections import deque

from api.platform.http.errors import TooManyRequests
from cluster.wording.message import Wording

WINDOW_S = 60.0
MAX_KEYS = 10_000

TOO_MANY_TRIES = Wording("auth.too_many_tries", "Too many tries. Wait {wait} seconds and try again.")


class TryCounter:
    def __init__(self, tries: int) -> None:
        self.tries = tries
        self._seen: dict[str, deque[float]] = {}

    def add(self, key: str) -> None:
        """Count one try of `key`. Raises `TooManyRequests` when the last minute already has the limit."""
        now = time.monotonic()
        if len(self._seen) > MAX_KEYS:
            self._seen = {name: times for name, times in self._seen.items() if times and now - times[-1] < WINDOW_S}
        times = self._seen.setdefault(key, deque())
        while times and now - times[0] >= WINDOW_S:
            times.popleft()
        if len(times) >= self.tries:
            wait = int(WINDOW_S - (now - times[0])) + 1
            raise TooManyRequests(
                TOO_MANY_TRIES(wait=wait),
                retry_after_s=wait,
            )
        times.append(now)
