"""Knows when a model call takes so much longer than its audio justifies that the model must be stuck."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

CALL_COST_S = 10.0
"""Every window costs as if it were this much longer: a model looks at a context, however short the clip in it is."""
FIRST_PACE = 2.0
"""Seconds for a second of audio that the first call may take: a large model on few cores, a GPU that still compiles."""
FACTOR = 5.0
"""A call may be so many times slower than the slowest before: three decodings of all, on cores that others use too."""
SHORTEST_S = 20.0
"""No call is stuck before this, whatever its audio."""


class Patience:
    """Watches the calls of one replica. To be used from one thread or loop."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._calls: dict[object, tuple[float, float]] = {}
        self._pace: float | None = None

    @contextmanager
    def watch(self, *, audio_s: float, windows: int = 1) -> Iterator[None]:
        """A call for so much audio begins and ends here."""
        call, work = object(), audio_s + CALL_COST_S * windows
        begun = self._now()
        self._calls[call] = (begun, work)
        try:
            yield
        finally:
            del self._calls[call]
            self._pace = max(self._pace or 0.0, (self._now() - begun) / work)

    def stuck_s(self) -> float | None:
        """How long the call has run that is overdue; None when none is."""
        pace = FIRST_PACE if self._pace is None else self._pace
        now = self._now()
        overdue = [
            now - begun for begun, work in self._calls.values() if now - begun > max(SHORTEST_S, FACTOR * pace * work)
        ]
        return max(overdue, default=None)
