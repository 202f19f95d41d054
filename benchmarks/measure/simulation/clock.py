"""Simulated time: what happens next, in the order of its time."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count


class Clock:
    """`now` is in seconds. Events of the same time run in the order in which they were set."""

    def __init__(self) -> None:
        self.now = 0.0
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()

    def at(self, time_s: float, action: Callable[[], None]) -> None:
        heapq.heappush(self._events, (max(time_s, self.now), next(self._numbers), action))

    def after(self, seconds: float, action: Callable[[], None]) -> None:
        self.at(self.now + seconds, action)

    def run(self, until_s: float = float("inf")) -> None:
        """Run every event up to this time, and those that they set."""
        while self._events and self._events[0][0] <= until_s:
            self.run_next()

    def run_next(self) -> bool:
        """Run the next event; False where there is none."""
        if not self._events:
            return False
        self.now, _, action = heapq.heappop(self._events)
        action()
        return True
