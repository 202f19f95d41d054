"""How many replicas a volume needs, what they wait and cost, and where one more is needed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from benchmarks.measure.simulation.day import Day, Installation, simulate
from benchmarks.measure.simulation.fleet import Failures, Scaling
from benchmarks.measure.simulation.workload import DAY_S, HOUR_S, Habits, files_of

NOON_S = DAY_S / 2
WARM_UP = 0.15
"""Share of the simulated time that fills the queues and is not counted."""
HALVINGS = 6
SHORTEST_S = 600.0
"""Queues need this long to fill, however large the volume."""
MOST_STEPS = 8


@dataclass(frozen=True, slots=True)
class Question:
    """What is planned for. `first_caption_s` must hold for 95 % of the files; `windows` bounds one simulation."""

    installation: Installation
    habits: Habits
    failures: Failures
    scaling: Scaling
    first_caption_s: float
    windows: int
    seed: int = 1

    @property
    def speed(self) -> float:
        """Seconds of sound a second of one busy replica with full batches."""
        service, batch = self.installation.service, self.installation.limits.max_batch
        seconds = service.seconds(batch, self.habits.window_s, service.workers)
        return service.workers * batch * self.habits.window_s / seconds

    def peak_load(self, hours_a_day: float) -> float:
        """Seconds of sound for the model in a second of the busiest moment."""
        return hours_a_day * HOUR_S / DAY_S * self.habits.peak * self.habits.speech

    def ingest_cores(self, hours_a_day: float) -> float:
        """Cores that ingest keeps busy at the busiest moment."""
        return hours_a_day * self.installation.ingest_core_s / DAY_S * self.habits.peak


@dataclass(frozen=True, slots=True)
class Plan:
    """For one volume. `fixed` always runs `replicas`; `scaled` starts and ends them. Hours are of replicas in a day."""

    hours_a_day: float
    replicas: int
    cores: int
    fixed: Day
    scaled: Day
    fixed_replica_h: float
    scaled_replica_h: float
    is_met: bool


def plan(question: Question, hours_a_day: float) -> Plan:
    """The fewest replicas that keep the target at the busiest time, and the same volume with autoscaling."""
    cores = _cores(question, hours_a_day)
    chosen = replace(question, installation=replace(question.installation, cores=cores))
    replicas = max(1, math.ceil(chosen.peak_load(hours_a_day) / chosen.speed))
    fixed = at_noon(chosen, hours_a_day, replicas)
    for _ in range(MOST_STEPS):
        if _holds(chosen, fixed):
            break
        # A large fleet grows by a tenth: nobody buys 501 replicas instead of 500 after a simulation.
        replicas += max(1, replicas // 10)
        fixed = at_noon(chosen, hours_a_day, replicas)
    scaling = replace(chosen.scaling, least=max(1, chosen.scaling.least), most=max(2 * replicas, replicas + 2))
    scaled = _simulated(chosen, hours_a_day, scaling, replicas)
    share = scaled.sound_h / max(1e-9, hours_a_day)
    return Plan(
        hours_a_day,
        replicas,
        cores,
        fixed,
        scaled,
        fixed_replica_h=24.0 * replicas,
        # Where less than a day was simulated: as much for each hour of sound.
        scaled_replica_h=max(24.0 * scaling.least, scaled.replica_h / share),
        is_met=_holds(chosen, fixed),
    )


def capacity(question: Question, replicas: int) -> float:
    """The most hours a day at which this many replicas keep the target at the busiest time, to about 2 %."""
    full = replicas * question.speed / question.peak_load(1.0)
    low, high = 0.0, 1.2 * full
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        cores = _cores(question, middle)
        chosen = replace(question, installation=replace(question.installation, cores=cores))
        low, high = (middle, high) if _holds(chosen, at_noon(chosen, middle, replicas)) else (low, middle)
    return low


def _holds(question: Question, day: Day) -> bool:
    return day.first_caption.p95 <= question.first_caption_s


def _cores(question: Question, hours_a_day: float) -> int:
    """Enough that ingest waits for no core: what it keeps busy, and half as much again."""
    return max(2, math.ceil(1.5 * question.ingest_cores(hours_a_day) + 1))


def at_noon(question: Question, hours_a_day: float, replicas: int) -> Day:
    """The busiest time with a fixed number of replicas."""
    return _simulated(question, hours_a_day, Scaling(least=replicas, most=replicas), replicas)


def _simulated(question: Question, hours_a_day: float, scaling: Scaling, replicas: int) -> Day:
    """Around noon, for as long as the bound on windows allows, at most a day.

    Of a volume too large for that a slice is simulated: a part of the files with the same part of the machines. Queues
    of a part are never shorter than those of the whole, so waits are rather too long than too short.
    """
    habits = question.habits
    windows_a_s = hours_a_day * HOUR_S / DAY_S * habits.speech / habits.window_s * habits.peak
    slices = max(1, min(math.ceil(windows_a_s * SHORTEST_S / question.windows), replicas))
    part = hours_a_day / slices
    seconds = min(DAY_S, max(SHORTEST_S, question.windows / max(1e-9, windows_a_s / slices)))
    installation = replace(question.installation, cores=max(2.0, question.installation.cores / slices))
    day = simulate(
        files_of(part, habits, start_s=NOON_S - seconds / 2, seconds=seconds, seed=question.seed),
        installation,
        replace(scaling, least=max(1, round(scaling.least / slices)), most=max(1, round(scaling.most / slices))),
        question.failures,
        speed=question.speed,
        replicas=max(1, round(replicas / slices)),
        warm_up_s=WARM_UP * seconds if seconds < DAY_S else 0.0,
        seed=question.seed,
    )
    return day.times(slices)
