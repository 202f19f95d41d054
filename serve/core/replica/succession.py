"""Moves a replica's work from one engine to a better one: running files stay, new ones go to the new engine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Generic, TypeVar

from cluster.resources import give_back_memory
from serve.core.engine import Engine
from serve.core.messages import EngineProblem, EngineRefused
from serve.core.replica.batching import Batcher
from serve.core.replica_messages import BatchLimits
from serve.core.sentences import PIECE_FAILED
from serve.core.task import ModelTask

EngineT = TypeVar("EngineT", bound=Engine[Any, Any])
Answer = TypeVar("Answer")

QUIET_S = 60.0
"""A file that has sent nothing for this long is finished or is being retried: its next item goes to the new engine.

Items of a running file follow each other within seconds; an item without its answer counts as running.
"""


class LoadedEngine(Generic[EngineT]):
    """An engine with its scheduler and the files it is working on."""

    def __init__(
        self,
        task: ModelTask[Any, Any],
        engine: EngineT,
        limits: BatchLimits,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.engine = engine
        self.batcher: Batcher[Any, Any] = Batcher(task, engine, limits)
        self.limit(limits)
        self._task = task
        self._calls = asyncio.Semaphore(engine.parallel)
        self._now = now
        self._running: dict[str, int] = {}
        self._seen: dict[str, float] = {}

    def limit(self, limits: BatchLimits) -> None:
        # Where a batch saves no time, its first result would only wait for its last one.
        self.batcher.limits = limits if self.engine.gains_from_batches else replace(limits, max_batch=1)

    @contextmanager
    def request(self, stream: str) -> Iterator[LoadedEngine[EngineT]]:
        """A request of a file, from its arrival to its answer."""
        self._running[stream] = self._running.get(stream, 0) + 1
        try:
            yield self
        finally:
            self._seen[stream] = self._now()
            self._running[stream] -= 1
            if not self._running[stream]:
                del self._running[stream]

    async def call(self, function: Callable[[Any], Answer], item: Any) -> Answer:
        """A call of the engine beside its batches, in a thread, at most `engine.parallel` at once.

        Raises EngineRefused.
        """
        async with self._calls:
            try:
                with self.batcher.stalls.watch(cost=self._task.cost(item)):
                    return await asyncio.to_thread(function, item)
            except EngineRefused:
                raise
            except Exception as failure:
                raise EngineRefused(
                    EngineProblem.MODEL_FAILED,
                    PIECE_FAILED(model=self._task.model, material=self._task.material, failure=str(failure)),
                ) from failure

    def works_on(self, stream: str) -> bool:
        return stream in self._running or self._now() - self._seen.get(stream, float("-inf")) < QUIET_S

    def forget_quiet(self) -> None:
        self._seen = {stream: seen for stream, seen in self._seen.items() if self._now() - seen < QUIET_S}

    @property
    def is_idle(self) -> bool:
        return not self._running and not self._seen

    @property
    def is_busy(self) -> bool:
        """Whether a request waits for its answer."""
        return bool(self._running)

    def close(self) -> None:
        self.batcher.close()
        self.engine.close()


class Succession(Generic[EngineT]):
    """The engine of new files, and earlier ones that still have running files.

    For one event loop; only `succeed` may be called from another thread.
    """

    def __init__(
        self,
        task: ModelTask[Any, Any],
        engine: EngineT,
        limits: BatchLimits,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._task = task
        self._limits = limits
        self._now = now
        self.current = LoadedEngine(task, engine, limits, now)
        self._earlier: list[LoadedEngine[EngineT]] = []
        self._is_resting = False

    def __iter__(self) -> Iterator[LoadedEngine[EngineT]]:
        return iter((self.current, *self._earlier))

    def of(self, stream: str) -> LoadedEngine[EngineT]:
        """The engine already working on this file, else the current one."""
        return next((loaded for loaded in self._earlier if loaded.works_on(stream)), self.current)

    def limit(self, limits: BatchLimits) -> None:
        self._limits = limits
        for loaded in self:
            loaded.limit(limits)

    def succeed(self, engine: EngineT) -> None:
        """Give every file that is not running yet to `engine` from now on."""
        self._earlier.append(self.current)
        self.current = LoadedEngine(self._task, engine, self._limits, self._now)

    def rest(self) -> None:
        """Called every few seconds: close engines whose last file is finished, and give memory back when all are."""
        for loaded in self:
            loaded.engine.rest()
            loaded.forget_quiet()
        for loaded in [each for each in self._earlier if each.is_idle]:
            self._earlier.remove(loaded)
            loaded.close()
        was_resting, self._is_resting = self._is_resting, all(loaded.is_idle for loaded in self)
        if self._is_resting and not was_resting:
            # Between windows it is kept: see `KEPT_MEMORY`.
            give_back_memory()

    def close(self) -> None:
        for loaded in self:
            loaded.close()
