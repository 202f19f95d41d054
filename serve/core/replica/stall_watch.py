"""Detects a model call that takes much longer than its work justifies: the model must be stuck."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

FACTOR = 5.0
"""A call may be this many times slower than the slowest recent one: three decodings of everything, on shared cores."""
SHORTEST_S = 5.0
"""No call is stuck before this, whatever its work. Serve needs three failed checks after it, 4 to 7 s more."""
RECENT_CALLS = 64
"""Calls that count for the pace. One that was slow because the machine was busy is forgotten after as many others."""


class StallWatch:
    """Watches the calls of one replica. Use it from one thread or loop."""

    def __init__(self, *, slowest_speed: float, call_overhead: int, now: Callable[[], float] = time.monotonic) -> None:
        """`slowest_speed` and `call_overhead` are those of the `ModelTask`."""
        self._now = now
        self._overhead = call_overhead
        self._first_pace = 1 / slowest_speed
        self._calls: dict[object, tuple[float, float]] = {}
        self._paces: deque[float] = deque(maxlen=RECENT_CALLS)

    @contextmanager
    def watch(self, *, cost: int, items: int = 1) -> Iterator[None]:
        """A call with this much work begins and ends here."""
        call, work = object(), max(1.0, float(cost + self._overhead * items))
        begun = self._now()
        self._calls[call] = (begun, work)
        try:
            yield
        finally:
            del self._calls[call]
            self._paces.append((self._now() - begun) / work)

    def stuck_s(self) -> float | None:
        """How long the overdue call has run; None when no call is overdue."""
        pace = max(self._paces, default=self._first_pace)
        now = self._now()
        overdue = [
            now - begun for begun, work in self._calls.values() if now - begun > max(SHORTEST_S, FACTOR * pace * work)
        ]
        return max(overdue, default=None)
