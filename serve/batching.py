"""The scheduler inside a model replica: puts windows of many files together into batches, fairly between files.

It lives on one event loop; the model runs in threads beside it. It knows nothing of Ray or of any model.

- Windows share a batch when the engine's key for them is equal. A batch takes one window of each stream in turn, and a
  stream that was served goes to the back, so a long file delays a short one by one batch at most.
- Where the engine takes guests, a stream that has nothing at work does not even wait for that one batch: the processor
  turns to it at once, and the batches under way take a little longer.
- Audio that waits is bounded. What comes above the bound is refused at once and told when to come again.
- One bad window never fails its neighbours: an engine that fails as a whole gets the windows one by one.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import structlog

from serve.messages import AudioWindow, EngineProblem, EngineRefused, WindowResult
from serve.patience import Patience

log = structlog.get_logger(__name__)

Decode: TypeAlias = Callable[[Sequence[AudioWindow]], Sequence[WindowResult | EngineRefused]]

FIRST_SPEED = 1.0
"""Audio seconds per second assumed before the first batch is done; only `retry_after_s` depends on it."""
SPEED_MEMORY = 0.8
"""Share of the old value in the moving average of the measured speed."""
RETRY_AFTER_S = (0.5, 30.0)
"""Shortest and longest wait that a refused caller is told."""


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """How much waits and how much is decoded at once."""

    max_batch: int = 8
    wait_ms: int = 20
    """How long an incomplete batch waits for company while a worker is free."""
    max_queued_s: float = 600.0
    """Seconds of audio that may wait; a single window is always accepted."""


@dataclass(slots=True)
class _Waiting:
    window: AudioWindow
    key: Hashable
    future: asyncio.Future[WindowResult]
    since: float


class WindowBatcher:
    """Batches windows for `decode`, which is called from `workers` threads."""

    def __init__(
        self,
        decode: Decode,
        *,
        key: Callable[[AudioWindow], Hashable],
        limits: BatchLimits,
        workers: int,
        guests: int = 0,
    ) -> None:
        """`key` tells which windows may share a batch: those for which it is equal.

        `guests` more threads are there for streams that have nothing at work while every worker is busy.
        """
        self.limits = limits
        self.failures_in_a_row = 0
        """Batches that failed as a whole since the last one that did not: the model itself may be broken."""
        self.patience = Patience()
        self._decode = decode
        self._key = key
        self._workers = workers
        self._guests = guests
        self._threads = ThreadPoolExecutor(workers + guests, thread_name_prefix="decode")
        self._streams: OrderedDict[str, deque[_Waiting]] = OrderedDict()
        self._queued_ms = 0
        self._running: dict[asyncio.Task[None], frozenset[str]] = {}
        """Batches at work, each with the streams it holds windows of."""
        self._timer: asyncio.Handle | None = None
        self._speed = FIRST_SPEED
        self._room_from = 0.0
        """Clock time from which on there is room for the next one that is refused."""

    @property
    def queued_s(self) -> float:
        """Seconds of audio that wait and are not yet in a batch."""
        return self._queued_ms / 1000

    async def submit(self, window: AudioWindow) -> WindowResult:
        """The result of the window. Raises EngineRefused; a cancelled call leaves the queue at once."""
        if self._queued_ms and self.queued_s + window.duration_ms / 1000 > self.limits.max_queued_s:
            raise self._overloaded(window)
        loop = asyncio.get_running_loop()
        waiting = _Waiting(window, self._key(window), loop.create_future(), loop.time())
        self._streams.setdefault(window.stream, deque()).append(waiting)
        self._queued_ms += window.duration_ms
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
                    refusal = EngineRefused(EngineProblem.OVERLOADED, "The speech model is being stopped.", 5.0)
                    waiting.future.set_exception(refusal)
        self._streams.clear()
        self._queued_ms = 0
        self._threads.shutdown(wait=False)

    def _overloaded(self, window: AudioWindow) -> EngineRefused:
        """Tells everyone who is refused a time of their own, by which there is room for them at the measured speed."""
        now = time.monotonic()
        window_s = window.duration_ms / 1000
        missing_s = self.queued_s + window_s - self.limits.max_queued_s
        self._room_from = max(self._room_from, now + missing_s / self._speed)
        shortest, longest = RETRY_AFTER_S
        wait = round(min(longest, max(shortest, self._room_from - now)), 1)
        self._room_from += window_s / self._speed
        return EngineRefused(
            EngineProblem.OVERLOADED,
            "The speech model has more audio waiting than it can take. The work goes on when some of it is done.",
            wait,
        )

    def _drop(self, waiting: _Waiting) -> None:
        stream = self._streams.get(waiting.window.stream)
        if stream is not None and waiting in stream:
            stream.remove(waiting)
            self._queued_ms -= waiting.window.duration_ms
            if not stream:
                del self._streams[waiting.window.stream]

    def _wake(self) -> None:
        """Start batches when whatever else arrives in this turn of the loop is there too."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_soon(self._start_batches)

    def _start_batches(self) -> None:
        """Start every batch that is due, and set the clock for the next one that is not."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._streams:
            return
        if len(self._running) >= self._workers:
            at_work = frozenset().union(*self._running.values())
            strangers = [name for name in self._streams if name not in at_work]
            if strangers and len(self._running) < self._workers + self._guests:
                self._start(self._take_batch(strangers))
            return
        loop = asyncio.get_running_loop()
        due = min(stream[0].since for stream in self._streams.values()) + self.limits.wait_ms / 1000
        # Company is worth waiting for only while something runs: a window that finds everyone idle is likely alone.
        if self._running and sum(map(len, self._streams.values())) < self.limits.max_batch and loop.time() < due:
            self._timer = loop.call_at(due, self._start_batches)
            return
        while self._streams and len(self._running) < self._workers:
            self._start(self._take_batch(self._streams))

    def _start(self, batch: list[_Waiting]) -> None:
        task = asyncio.get_running_loop().create_task(self._run(batch))
        self._running[task] = frozenset(waiting.window.stream for waiting in batch)
        task.add_done_callback(self._batch_done)

    def _take_batch(self, names: Iterable[str]) -> list[_Waiting]:
        """Windows of one key, one a stream in turn. Served streams go to the back, the others keep their place."""
        names = list(names)
        free = max(1, self._workers - len(self._running))
        queued = sum(len(self._streams[name]) for name in names)
        # Two free workers share what waits: half of it each is done sooner than all of it by one.
        size = min(self.limits.max_batch, -(-queued // free))
        key = self._streams[names[0]][0].key
        batch: list[_Waiting] = []
        while len(batch) < size and (round_ := [name for name in names if self._has(name, key)]):
            for name in round_[: size - len(batch)]:
                stream = self._streams[name]
                batch.append(stream.popleft())
                if stream:
                    self._streams.move_to_end(name)
                else:
                    del self._streams[name]
        self._queued_ms -= sum(waiting.window.duration_ms for waiting in batch)
        return batch

    def _has(self, name: str, key: Hashable) -> bool:
        return name in self._streams and self._streams[name][0].key == key

    def _batch_done(self, task: asyncio.Task[None]) -> None:
        del self._running[task]
        self._start_batches()

    async def _run(self, batch: list[_Waiting]) -> None:
        loop = asyncio.get_running_loop()
        started = time.monotonic()
        windows = [waiting.window for waiting in batch]
        audio_s = sum(window.duration_ms for window in windows) / 1000
        with self.patience.watch(audio_s=audio_s, windows=len(windows)):
            outcomes = await loop.run_in_executor(self._threads, self._decode_all, windows)
        for waiting, outcome in zip(batch, outcomes, strict=True):
            if waiting.future.done():
                continue
            if isinstance(outcome, EngineRefused):
                waiting.future.set_exception(outcome)
            else:
                waiting.future.set_result(outcome)
        seconds = max(1e-3, time.monotonic() - started)
        measured = audio_s / seconds * self._workers
        self._speed = SPEED_MEMORY * self._speed + (1 - SPEED_MEMORY) * max(0.01, measured)

    def _decode_all(self, windows: Sequence[AudioWindow]) -> Sequence[WindowResult | EngineRefused]:
        """Runs in a worker thread: the batch, or, when the engine fails on it, each window for itself."""
        try:
            outcomes = self._decode(windows)
            if len(outcomes) != len(windows):
                raise RuntimeError(f"The engine gave {len(outcomes)} results for {len(windows)} windows.")
            self.failures_in_a_row = 0
            return outcomes
        except Exception as failure:
            log.exception("batch.failed", windows=len(windows))
            if len(windows) == 1:
                self.failures_in_a_row += 1
                return [_failed(failure)]
        return [self._decode_all([window])[0] for window in windows]


def _failed(failure: Exception) -> EngineRefused:
    if isinstance(failure, EngineRefused):
        return failure
    return EngineRefused(EngineProblem.MODEL_FAILED, f"The speech model failed on a piece of the audio ({failure}).")
