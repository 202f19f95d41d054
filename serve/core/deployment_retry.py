"""When a deployment that failed is tried again."""

from __future__ import annotations

from collections.abc import Callable

RETRY_S = (30.0, 600.0)
"""Wait before a failed deployment is tried again: the first one, doubled up to the last one."""


class DeploymentRetry:
    """`now` is the clock."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wait_s = RETRY_S[0]
        self._due: float | None = None

    @property
    def is_waiting(self) -> bool:
        return self._due is not None

    def is_due(self) -> bool:
        return self._due is not None and self._now() >= self._due

    def begun(self) -> None:
        self._due = None

    def failed(self) -> None:
        self._due = self._now() + self._wait_s
        self._wait_s = min(RETRY_S[1], self._wait_s * 2)

    def succeeded(self) -> None:
        self._wait_s = RETRY_S[0]
