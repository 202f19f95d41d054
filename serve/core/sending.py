"""Whether this process sends new work to the models.

A process whose attempt is about to be handed to another one takes the results of what it sent, and sends nothing more.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from serve.core.messages import EngineProblem, EngineRefused
from serve.core.sentences import MOVED

_LOOK_S = 0.2


class Sending:
    """Counts the requests of a process that models work on. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_paused = False
        self._under_way = 0

    def pause(self) -> None:
        """Let new requests wait until `resume`; those under way continue."""
        with self._lock:
            self._is_paused = True

    def resume(self) -> None:
        with self._lock:
            self._is_paused = False

    @property
    def is_paused(self) -> bool:
        return self._is_paused

    def is_quiet(self) -> bool:
        """Whether nothing is under way and nothing new will be."""
        with self._lock:
            return self._is_paused and not self._under_way

    @contextmanager
    def request(self, closed: threading.Event) -> Iterator[None]:
        """Around a request. It begins once sending is allowed. Raises EngineRefused when `closed` is set before."""
        while not self._begin():
            if closed.wait(_LOOK_S):
                raise EngineRefused(EngineProblem.RESTARTING, MOVED)
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1

    def _begin(self) -> bool:
        with self._lock:
            self._under_way += not self._is_paused
            return not self._is_paused


SENDING = Sending()
"""That of this process."""
