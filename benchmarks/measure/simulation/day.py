"""Files through ingest and model in simulated time, as dispatcher and flow send them, and what people wait."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from benchmarks.measure.simulation.clock import Clock
from benchmarks.measure.simulation.fleet import Failures, Fleet, Scaling
from benchmarks.measure.simulation.replica import Service, Window
from benchmarks.measure.simulation.workload import HOUR_S, FileArrival
from cluster.resources import MEDIA_TASK_CPUS, WAITING_TASK_CPUS
from serve.core.replica_messages import BatchLimits

LAST_S = 6 * HOUR_S
"""How long after the last arrival work may end; what is unfinished then counts as never finished."""


@dataclass(frozen=True, slots=True)
class Installation:
    """The machines. `cores` take ingests and the tasks that wait for the model, in the dispatcher's slots.

    `ingest_core_s` is for an hour of sound. `in_flight` bounds the windows that one file has at the model.
    """

    service: Service
    limits: BatchLimits
    cores: float
    ingest_core_s: float
    in_flight: int
    start_s: float = 1.0
    """What each job costs before its work: the claim, the task, the probe."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Quantiles in seconds over the files; infinite where files were never finished."""

    p50: float
    p95: float
    p99: float


@dataclass(frozen=True, slots=True)
class Day:
    """What a simulated time gave. `utilisation` is the share of the replicas' time in which their workers ran."""

    files: int
    sound_h: float
    first_caption: Waits
    all_captions: Waits
    window: Waits
    replica_h: float
    most_replicas: int
    utilisation: float
    mean_batch: float
    refusals: int
    failures: int

    def times(self, slices: int) -> Day:
        """The whole of which this was one of so many equal parts."""
        return replace(
            self,
            files=self.files * slices,
            sound_h=self.sound_h * slices,
            replica_h=self.replica_h * slices,
            most_replicas=self.most_replicas * slices,
            refusals=self.refusals * slices,
            failures=self.failures * slices,
        )


def simulate(
    arrivals: Iterable[FileArrival],
    installation: Installation,
    scaling: Scaling,
    failures: Failures,
    *,
    speed: float,
    replicas: int = 0,
    warm_up_s: float = 0.0,
    seed: int = 1,
) -> Day:
    """Run all arrivals to their end. Files that were due in the warm-up are not counted.

    `speed` is what a busy replica does: the autoscaler and nothing else uses it. `replicas` run at the beginning,
    within the bounds of the scaling. Raises ValueError without files.
    """
    clock = Clock()
    fleet = Fleet(clock, installation.service, installation.limits, scaling, failures, speed, random.Random(seed))
    slots = _Slots(installation.cores)
    runs = [_FileRun(arrival, clock, fleet, slots, installation) for arrival in arrivals]
    left = len(runs)

    def end_one() -> None:
        nonlocal left
        left -= 1

    if not any(run.arrival.due_s >= warm_up_s for run in runs):
        raise ValueError("No file arrives in the simulated time: raise the hours a day.")
    fleet.start(replicas)
    for run in runs:
        run.on_end = end_one
        clock.at(run.arrival.due_s, run.begin)
    last_s = max(run.arrival.due_s for run in runs)
    clock.run(last_s)
    fleet.count()
    # Costs are those of the time in which files arrive: what ends later belongs to the next hours.
    replica_s, busy_s = fleet.replica_s, fleet.busy_s
    while left and clock.now < last_s + LAST_S and clock.run_next():
        pass
    counted = [run for run in runs if run.arrival.due_s >= warm_up_s]
    batches = fleet.batches
    return Day(
        files=len(counted),
        sound_h=sum(run.arrival.length_s for run in runs) / HOUR_S,
        first_caption=_waits([run.first_s for run in counted if run.arrival.windows]),
        all_captions=_waits([run.end_s for run in counted]),
        window=_waits([wait for run in counted for wait in run.window_waits]),
        replica_h=replica_s / HOUR_S,
        most_replicas=fleet.most_replicas,
        utilisation=busy_s / max(1e-9, replica_s * installation.service.workers),
        mean_batch=sum(items for items, _ in batches) / max(1, len(batches)),
        refusals=fleet.refusals,
        failures=fleet.failed,
    )


class _Slots:
    """The dispatcher's rule: the next job starts when it fits, and none overtakes it."""

    def __init__(self, count: float) -> None:
        self._free = count
        self._waiting: deque[tuple[float, Callable[[], None]]] = deque()

    def take(self, amount: float, start: Callable[[], None]) -> None:
        self._waiting.append((amount, start))
        self._next()

    def give(self, amount: float) -> None:
        self._free += amount
        self._next()

    def _next(self) -> None:
        while self._waiting and self._waiting[0][0] <= self._free + 1e-9:
            amount, start = self._waiting.popleft()
            self._free -= amount
            start()


@dataclass(slots=True, eq=False)
class _FileRun:
    """A file from its arrival to its captions. Seconds count from the arrival."""

    arrival: FileArrival
    clock: Clock
    fleet: Fleet
    slots: _Slots
    installation: Installation
    first_s: float = float("inf")
    end_s: float = float("inf")
    window_waits: list[float] = field(default_factory=list)
    on_end: Callable[[], None] = lambda: None
    _next: int = 0
    _done: int = 0

    def begin(self) -> None:
        self.slots.take(MEDIA_TASK_CPUS, self._ingest)

    def _ingest(self) -> None:
        seconds = self.installation.start_s + self.arrival.length_s / HOUR_S * self.installation.ingest_core_s
        self.clock.after(seconds, self._ingested)

    def _ingested(self) -> None:
        self.slots.give(MEDIA_TASK_CPUS)
        self.slots.take(WAITING_TASK_CPUS, lambda: self.clock.after(self.installation.start_s, self._transcribe))

    def _transcribe(self) -> None:
        if not self.arrival.windows:
            self._end()
        for _ in range(min(self.installation.in_flight, len(self.arrival.windows))):
            self._send()

    def _send(self) -> None:
        length = self.arrival.windows[self._next]
        self._next += 1
        sent_at = self.clock.now

        def done() -> None:
            self.fleet.finish(window)
            self.window_waits.append(self.clock.now - sent_at)
            self.first_s = min(self.first_s, self.clock.now - self.arrival.due_s)
            self._done += 1
            if self._next < len(self.arrival.windows):
                self._send()
            elif self._done == len(self.arrival.windows):
                self._end()

        # Windows of a long file all have the full context, so that they share batches.
        window = Window(self.arrival.name, length, 0, done, lambda: self.fleet.again(window))
        self.fleet.submit(window)

    def _end(self) -> None:
        self.end_s = self.clock.now - self.arrival.due_s
        self.on_end()
        self.slots.give(WAITING_TASK_CPUS)


def _waits(seconds: list[float]) -> Waits:
    if not seconds:
        return Waits(0.0, 0.0, 0.0)
    p50, p95, p99 = np.quantile(seconds, (0.5, 0.95, 0.99), method="higher")
    return Waits(float(p50), float(p95), float(p99))
