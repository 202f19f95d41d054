"""Faults of model replicas at the moment when one file has its result and all others start to send their requests."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from pipelines.testing.replicas import replica_of

LEADER_WITHIN_S = 600.0


@dataclass
class Strike:
    """One fault of a replica of `task`. A suspended one stays so until Serve replaces it or the run ends.

    The first file goes ahead, so that a replica runs; the others wait for it. Without that all files of a tiny model
    are done in one batch, and the fault finds nobody at work. Methods may be called from any thread.
    """

    task: str
    sends: signal.Signals
    victim: int | None = None
    parts_after: int = 0
    """Parts that arrived since: a replacement made them."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _led: bool = False
    _first_is_through: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def around(self, task: str) -> Iterator[None]:
        """Around the flow of one file."""
        if task != self.task:
            yield
            return
        with self._lock:
            leads, self._led = not self._led, True
        if not leads:
            self._first_is_through.wait(LEADER_WITHIN_S)
        try:
            yield
        finally:
            self._first_is_through.set()

    def value_arrived(self, task: str, *, is_part: bool) -> None:
        if task != self.task or not self._first_is_through.is_set():
            return
        with self._lock:
            if self.victim is None and (pid := replica_of(task)) is not None:
                os.kill(pid, self.sends)
                self.victim = pid
            elif is_part:
                self.parts_after += 1

    def end(self) -> Iterator[str]:
        """Resume what is still suspended; sentences about what did not happen."""
        if self.victim is None or not self.parts_after:
            yield f"No replica of {self.task} was struck while files needed it."
            return
        if replica_of(self.task) == self.victim:
            yield f"The replica of {self.task} was not replaced."
        with suppress(ProcessLookupError):
            os.kill(self.victim, signal.SIGCONT)
