"""Estimate how long an attempt will still take: from its own speed, or before that from recent jobs of its kind."""

from __future__ import annotations

import time
from collections import deque

from pipelines.messages.attempt import Progress

LEAST_S = 2.0
"""Earlier in a phase its own speed would mislead."""

RESUMED_S = 0.5
"""Work reported this soon was done by an earlier attempt and says nothing about this one's speed."""

WINDOW_S = 60.0
"""Speed is measured over the last minute."""

DOUBT = 1.5
DOUBT_S = 10.0
"""Once an estimate exceeds the last one times `DOUBT` plus this, we show none."""


class Pace:
    """The estimate for one attempt in seconds. It never grows while the attempt runs; it disappears instead."""

    def __init__(self, expected_s: float | None = None) -> None:
        self._began = time.monotonic()
        self._expected_s = expected_s
        self._phase = ""
        self._phase_began = 0.0
        self._seen: deque[tuple[float, int]] = deque()
        self._estimate_s: float | None = None

    def eta_s(self, progress: Progress) -> int | None:
        now = time.monotonic()
        if progress.phase != self._phase:
            self._phase, self._phase_began = progress.phase, now
        if now - self._phase_began <= RESUMED_S:
            self._seen.clear()
        self._seen.append((now, progress.done))
        while len(self._seen) > 2 and now - self._seen[0][0] > WINDOW_S:
            self._seen.popleft()
        return self._estimate(self._by_own_speed(progress, now), now)

    def _by_own_speed(self, progress: Progress, now: float) -> float | None:
        began, first = self._seen[0]
        passed, done = now - began, progress.done - first
        if passed >= LEAST_S and done > 0:
            return (progress.total - progress.done) * passed / done
        if self._expected_s is None:
            return None
        # An attempt that should be over by now shows that the expectation was wrong.
        left = self._expected_s - (now - self._began)
        return left if left > 0 else None

    def _estimate(self, left_s: float | None, now: float) -> int | None:
        if left_s is None:
            return None
        ends = now + max(0.0, left_s)
        if self._estimate_s is not None:
            if left_s > DOUBT * max(0.0, self._estimate_s) + DOUBT_S:
                return None
            left_s = min(left_s, self._estimate_s)
        self._estimate_s = max(0.0, left_s)
        return round(min(ends - now, self._estimate_s))
