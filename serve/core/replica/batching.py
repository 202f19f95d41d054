"""The scheduler inside a model replica: puts items of many files together into batches, fairly between files.

It lives on one event loop; the model runs in threads beside it. It depends on neither Ray nor any model.

- Items share a batch when the engine's key for them is equal. A batch takes one item of each stream in turn, and a
  stream that was served goes to the back, so a long file delays a short one by one batch at most.
- Where the engine allows spare workers, a stream with nothing running does not even wait for that one batch: a spare
  worker starts it at once, and the running batches take a little longer.
- Waiting work is bounded. Work above the bound is refused at once, with a time to retry after.
- One bad item never fails its neighbours: when the engine fails on a whole batch, the items run one by one.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Hashable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import structlog

from serve.core.engine import Engine
from serve.core.messages import EngineProblem, EngineRefused
from serve.core.replica.stall_watch import StallWatch
from serve.core.replica_messages import BatchLimits
from serve.core.sentences import FULL, PIECE_FAILED, STOPPED
from serve.core.task import ModelTask

log = structlog.get_logger(__name__)

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

SPEED_MEMORY = 0.8
"""Share of the old value in the moving average of the measured speed."""
RETRY_AFTER_S = (0.5, 30.0)
"""Shortest and longest wait given to a refused caller."""
STOPPING_S = 5.0
"""Wait given to callers of a batcher that is being stopped."""


@dataclass(slots=True)
class _Waiting(Generic[Item, Outcome]):
    item: Item
    stream: str
    cost: int
    key: Hashable
    future: asyncio.Future[Outcome]
    since: float


class Batcher(Generic[Item, Outcome]):
    """Batches the items of one task for `engine.run`, which is called from threads."""

    def __init__(self, task: ModelTask[Item, Outcome], engine: Engine[Item, Outcome], limits: BatchLimits) -> None:
        """Up to `engine.parallel` batches run at once.

        `engine.spare_workers` more run for streams that have nothing running while every worker is busy.
        """
        self.limits = limits
        self.failures_in_a_row = 0
        """Batches that failed as a whole since the last one that did not: the model itself may be broken."""
        self.stalls = StallWatch(slowest_speed=task.slowest_speed, call_overhead=task.call_overhead)
        self._task = task
        self._engine = engine
        self._workers = engine.parallel
        self._spare_workers = engine.spare_workers
        self._threads = ThreadPoolExecutor(
            self._workers + self._spare_workers, thread_name_prefix=f"{task.name}-batches"
        )
        self._streams: OrderedDict[str, deque[_Waiting[Item, Outcome]]] = OrderedDict()
        self._running: dict[asyncio.Task[None], frozenset[str]] = {}
        """Running batches, each with the streams of its items."""
        self._timer: asyncio.Handle | None = None
        self._speed = task.expected_speed
        self._room_from = 0.0
        """Clock time from which on there is room for the next refused item."""
        self.queued = 0
        """Cost that waits and is not yet in a batch."""

    async def submit(self, item: Item) -> Outcome:
        """The outcome of the item. Raises EngineRefused; a cancelled call leaves the queue at once."""
        stream, cost = self._task.stream(item), self._task.cost(item)
        if self.queued and self.queued + cost > self.limits.max_queued:
            raise self._overloaded(cost)
        loop = asyncio.get_running_loop()
        waiting: _Waiting[Item, Outcome] = _Waiting(
            item, stream, cost, self._engine.batch_key(item), loop.create_future(), loop.time()
        )
        self._streams.setdefault(stream, deque()).append(waiting)
        self.queued += cost
        self._wake()
        try:
            return await waiting.future
        except asyncio.CancelledError:
            self._drop(waiting)
            raise

    def close(self) -> None:
        """Refuse what waits and end the threads after the batches they have."""
        if self._timer is not None:
            self._timer.cancel()
        for stream in self._streams.values():
            for waiting in stream:
                if not waiting.future.done():
                    refusal = EngineRefused(EngineProblem.OVERLOADED, STOPPED(model=self._task.model), STOPPING_S)
                    waiting.future.set_exception(refusal)
        self._streams.clear()
        self.queued = 0
        self._threads.shutdown(wait=False)

    def _overloaded(self, cost: int) -> EngineRefused:
        """Give each refused caller its own time, by which there is room for its item at the measured speed."""
        now = time.monotonic()
        missing = self.queued + cost - self.limits.max_queued
        self._room_from = max(self._room_from, now + missing / self._speed)
        shortest, longest = RETRY_AFTER_S
        wait = round(min(longest, max(shortest, self._room_from - now)), 1)
        self._room_from += cost / self._speed
        return EngineRefused(
            EngineProblem.OVERLOADED,
            FULL(model=self._task.model, material=self._task.material),
            wait,
        )

    def _drop(self, waiting: _Waiting[Item, Outcome]) -> None:
        stream = self._streams.get(waiting.stream)
        if stream is not None and waiting in stream:
            stream.remove(waiting)
            self.queued -= waiting.cost
            if not stream:
                del self._streams[waiting.stream]

    def _wake(self) -> None:
        """Start batches once everything else that arrives in this turn of the loop is there too."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_soon(self._start_batches)

    def _start_batches(self) -> None:
        """Start every batch that is due, and set the timer for the next one that is not."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._streams:
            return
        if len(self._running) >= self._workers:
            running = frozenset().union(*self._running.values())
            idle = [name for name in self._streams if name not in running]
            if idle and len(self._running) < self._workers + self._spare_workers:
                self._start(self._take_batch(idle))
            return
        loop = asyncio.get_running_loop()
        due = min(stream[0].since for stream in self._streams.values()) + self.limits.wait_ms / 1000
        # Company is worth waiting for only while something runs: an item that finds every worker idle is likely alone.
        if self._running and sum(map(len, self._streams.values())) < self.limits.max_batch and loop.time() < due:
            self._timer = loop.call_at(due, self._start_batches)
            return
        while self._streams and len(self._running) < self._workers:
            self._start(self._take_batch(self._streams))

    def _start(self, batch: list[_Waiting[Item, Outcome]]) -> None:
        task = asyncio.get_running_loop().create_task(self._run(batch))
        self._running[task] = frozenset(waiting.stream for waiting in batch)
        task.add_done_callback(self._batch_done)

    def _take_batch(self, names: Iterable[str]) -> list[_Waiting[Item, Outcome]]:
        """Items of one key, one from each stream in turn. Served streams go to the back of the queue."""
        names = list(names)
        free = max(1, self._workers - len(self._running))
        queued = sum(len(self._streams[name]) for name in names)
        # Two free workers share what waits: half of it each is done sooner than all of it by one.
        size = min(self.limits.max_batch, -(-queued // free))
        key = self._streams[names[0]][0].key
        batch: list[_Waiting[Item, Outcome]] = []
        room = self.limits.max_batch_cost
        while len(batch) < size and (round_ := [name for name in names if self._has(name, key)]):
            for name in round_[: size - len(batch)]:
                stream = self._streams[name]
                if room is not None:
                    if batch and stream[0].cost > room:
                        # It begins a later batch: served streams queue behind it.
                        names.remove(name)
                        continue
                    room -= stream[0].cost
                batch.append(stream.popleft())
                if stream:
                    self._streams.move_to_end(name)
                else:
                    del self._streams[name]
        self.queued -= sum(waiting.cost for waiting in batch)
        return batch

    def _has(self, name: str, key: Hashable) -> bool:
        return name in self._streams and self._streams[name][0].key == key

    def _batch_done(self, task: asyncio.Task[None]) -> None:
        del self._running[task]
        self._start_batches()

    async def _run(self, batch: list[_Waiting[Item, Outcome]]) -> None:
        loop = asyncio.get_running_loop()
        started = time.monotonic()
        cost = sum(waiting.cost for waiting in batch)
        items = [waiting.item for waiting in batch]
        with self.stalls.watch(cost=cost, items=len(items)):
            outcomes = await loop.run_in_executor(self._threads, self._run_all, items)
        for waiting, outcome in zip(batch, outcomes, strict=True):
            if waiting.future.done():
                continue
            if isinstance(outcome, EngineRefused):
                waiting.future.set_exception(outcome)
            else:
                waiting.future.set_result(outcome)
        seconds = max(1e-3, time.monotonic() - started)
        measured = cost / seconds * self._workers
        slowest = self._task.expected_speed / 100
        self._speed = SPEED_MEMORY * self._speed + (1 - SPEED_MEMORY) * max(slowest, measured)

    def _run_all(self, items: Sequence[Item]) -> Sequence[Outcome | EngineRefused]:
        """Runs in a worker thread: the batch, or each item by itself when the engine fails on the batch."""
        try:
            outcomes = self._engine.run(items)
            if len(outcomes) != len(items):
                raise RuntimeError(f"The engine gave {len(outcomes)} results for {len(items)} {self._task.items}.")
            self.failures_in_a_row = 0
            return outcomes
        except Exception as failure:
            log.exception("batch.failed", task=self._task.name, items=len(items))
            if len(items) == 1:
                self.failures_in_a_row += 1
                return [_failed(self._task, failure)]
        return [self._run_all([item])[0] for item in items]


def _failed(task: ModelTask[Any, Any], failure: Exception) -> EngineRefused:
    if isinstance(failure, EngineRefused):
        return failure
    return EngineRefused(
        EngineProblem.MODEL_FAILED, PIECE_FAILED(model=task.model, material=task.material, failure=str(failure))
    )
