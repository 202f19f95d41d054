"""Hands the work of a replica from one engine to a better one: files under way stay, new ones go to the new engine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from serve.batching import BatchLimits, WindowBatcher
from serve.transcription.engine import TranscriptionEngine

QUIET_S = 60.0
"""A file of which nothing has come for so long is over, or is tried again: its next window goes to the new engine.

Windows of a running file follow each other within seconds; one that waits for its answer counts as running.
"""


class LoadedEngine:
    """An engine with its scheduler, and the files that it works on."""

    def __init__(self, engine: TranscriptionEngine, limits: BatchLimits, now: Callable[[], float]) -> None:
        self.engine = engine
        self.batcher = WindowBatcher(
            engine.transcribe,
            key=engine.batch_key,
            limits=limits,
            workers=engine.parallel,
            guests=engine.guests,
        )
        self.limit(limits)
        self.detecting = asyncio.Semaphore(engine.parallel)
        self._now = now
        self._running: dict[str, int] = {}
        self._seen: dict[str, float] = {}

    def limit(self, limits: BatchLimits) -> None:
        # Where a batch saves nothing, its first result would only wait for its last one.
        self.batcher.limits = limits if self.engine.gains_from_batches else replace(limits, max_batch=1)

    @contextmanager
    def request(self, stream: str) -> Iterator[LoadedEngine]:
        """A request of a file, from its arrival to its answer."""
        self._running[stream] = self._running.get(stream, 0) + 1
        try:
            yield self
        finally:
            self._seen[stream] = self._now()
            self._running[stream] -= 1
            if not self._running[stream]:
                del self._running[stream]

    def works_on(self, stream: str) -> bool:
        return stream in self._running or self._now() - self._seen.get(stream, float("-inf")) < QUIET_S

    def forget_quiet(self) -> None:
        self._seen = {stream: seen for stream, seen in self._seen.items() if self._now() - seen < QUIET_S}

    @property
    def is_idle(self) -> bool:
        return not self._running and not self._seen

    def close(self) -> None:
        self.batcher.close()
        self.engine.close()


class Succession:
    """The engine of new files, and those before it that still have files under way.

    For one event loop; `succeed` alone may be called from another thread.
    """

    def __init__(
        self, engine: TranscriptionEngine, limits: BatchLimits, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._limits = limits
        self._now = now
        self.current = LoadedEngine(engine, limits, now)
        self._before: list[LoadedEngine] = []

    def __iter__(self) -> Iterator[LoadedEngine]:
        return iter((self.current, *self._before))

    def of(self, stream: str) -> LoadedEngine:
        """The engine that works on this file already, else the current one."""
        return next((loaded for loaded in self._before if loaded.works_on(stream)), self.current)

    def limit(self, limits: BatchLimits) -> None:
        self._limits = limits
        for loaded in self:
            loaded.limit(limits)

    def succeed(self, engine: TranscriptionEngine) -> None:
        """`engine` takes every file from now on that is not under way."""
        self._before.append(self.current)
        self.current = LoadedEngine(engine, self._limits, self._now)

    def rest(self) -> None:
        """Called every few seconds: engines close once their last file is over."""
        for loaded in self:
            loaded.engine.rest()
            loaded.forget_quiet()
        for loaded in [each for each in self._before if each.is_idle]:
            self._before.remove(loaded)
            loaded.close()

    def close(self) -> None:
        for loaded in self:
            loaded.close()
