"""A replica in simulated time: the scheduler's own rules (`replica/batching.py`) over measured service times.

The rules stand here a second time because the product's scheduler runs on real time; a test compares the batches of
both.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from benchmarks.measure.load.curves import ServiceCurve
from benchmarks.measure.simulation.clock import Clock
from serve.core.replica_messages import BatchLimits


@dataclass(slots=True, eq=False)
class Window:
    """`length_s` is its sound. `done` is called when it has its text, `lost` when its replica ends before that."""

    stream: str
    length_s: float
    key: Hashable
    done: Callable[[], None]
    lost: Callable[[], None]
    since: float = 0.0


@dataclass(frozen=True, slots=True)
class Service:
    """How long calls take. `curves` are those of one engine, by the number of calls side by side."""

    curves: Sequence[ServiceCurve]
    workers: int
    spare_workers: int

    def seconds(self, batch: int, window_s: float, beside: int) -> float:
        """Of a call while `beside` calls run, this one included; more than were measured share what those had."""
        measured = {curve.beside: curve for curve in self.curves}
        usable = [side for side in measured if side >= beside]
        side = min(usable) if usable else max(measured)
        return measured[side].seconds(batch, window_s) * max(1.0, beside / side)


@dataclass(slots=True, eq=False)
class Replica:
    """Runs batches side by side. Use `submit`; `end` returns everything it has to `lost`."""

    clock: Clock
    service: Service
    limits: BatchLimits
    is_alive: bool = True
    busy_s: float = 0.0
    """Seconds of calls, summed over workers."""
    batches: list[tuple[int, float]] = field(default_factory=list)
    """Windows and sound of each finished batch."""
    record: Callable[[Sequence[Window]], None] | None = None
    queued_s: float = 0.0
    outstanding: int = 0
    _streams: OrderedDict[str, deque[Window]] = field(default_factory=OrderedDict)
    _running: dict[int, list[Window]] = field(default_factory=dict)
    _calls: int = 0
    _is_woken: bool = False

    def submit(self, window: Window) -> bool:
        """False where it has no room; a single window is always taken."""
        if self.queued_s and (self.queued_s + window.length_s) * 1000 > self.limits.max_queued:
            return False
        window.since = self.clock.now
        self._streams.setdefault(window.stream, deque()).append(window)
        self.queued_s += window.length_s
        self.outstanding += 1
        if not self._is_woken:
            # After everything else that arrives at this moment.
            self._is_woken = True
            self.clock.after(0.0, self._wake)
        return True

    def hang(self) -> None:
        """From now on nothing that it holds gets an answer."""
        self.is_alive = False

    def end(self) -> None:
        """It is taken away: what it holds is lost."""
        self.is_alive = False
        held = [window for stream in self._streams.values() for window in stream]
        held += [window for batch in self._running.values() for window in batch]
        self._streams.clear()
        self._running.clear()
        self.outstanding = 0
        self.queued_s = 0.0
        for window in held:
            window.lost()

    def _wake(self) -> None:
        self._is_woken = False
        self._start_batches()

    def _start_batches(self) -> None:
        if not self.is_alive or not self._streams:
            return
        if len(self._running) >= self.service.workers:
            working = {window.stream for batch in self._running.values() for window in batch}
            idle = [name for name in self._streams if name not in working]
            if idle and len(self._running) < self.service.workers + self.service.spare_workers:
                self._start(self._take_batch(idle))
            return
        due = min(stream[0].since for stream in self._streams.values()) + self.limits.wait_ms / 1000
        waiting = sum(map(len, self._streams.values()))
        if self._running and waiting < self.limits.max_batch and self.clock.now < due:
            self.clock.at(due, self._start_batches)
            return
        while self._streams and len(self._running) < self.service.workers:
            self._start(self._take_batch(self._streams))

    def _take_batch(self, names: Iterable[str]) -> list[Window]:
        names = list(names)
        free = max(1, self.service.workers - len(self._running))
        queued = sum(len(self._streams[name]) for name in names)
        size = min(self.limits.max_batch, -(-queued // free))
        key = self._streams[names[0]][0].key
        batch: list[Window] = []
        while len(batch) < size and (turn := [name for name in names if self._has(name, key)]):
            for name in turn[: size - len(batch)]:
                stream = self._streams[name]
                batch.append(stream.popleft())
                if stream:
                    self._streams.move_to_end(name)
                else:
                    del self._streams[name]
        self.queued_s = max(0.0, self.queued_s - sum(window.length_s for window in batch))
        return batch

    def _has(self, name: str, key: Hashable) -> bool:
        return name in self._streams and self._streams[name][0].key == key

    def _start(self, batch: list[Window]) -> None:
        self._calls += 1
        call = self._calls
        self._running[call] = batch
        if self.record is not None:
            self.record(batch)
        longest = max(window.length_s for window in batch)
        seconds = self.service.seconds(len(batch), longest, len(self._running))
        self.clock.after(seconds, lambda: self._finish(call, seconds))

    def _finish(self, call: int, seconds: float) -> None:
        if not self.is_alive:
            return
        batch = self._running.pop(call)
        self.busy_s += seconds
        self.outstanding -= len(batch)
        self.batches.append((len(batch), sum(window.length_s for window in batch)))
        for window in batch:
            window.done()
        self._start_batches()
