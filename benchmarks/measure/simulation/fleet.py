"""Replicas behind a router: autoscaling on the sound that waits, starts that take their time, and failures."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from benchmarks.measure.simulation.clock import Clock
from benchmarks.measure.simulation.replica import Replica, Service, Window
from serve.core.replica_messages import BatchLimits

REFUSED_WAIT_S = 1.0
"""A refused or lost window comes back after this long, as the product's client does."""
CHOICES = 2
"""Ray Serve's router compares two replicas at random and takes the one with less work."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """How many replicas there are. `start_s` is from the decision to the first batch: node, image, model.

    Wanted are as many as work off the waiting sound within `drain_s`; one more than needed ends after `idle_s`.
    """

    least: int
    most: int
    start_s: float = 60.0
    drain_s: float = 20.0
    idle_s: float = 300.0
    decide_s: float = 5.0


@dataclass(frozen=True, slots=True)
class Failures:
    """`mtbf_h` is the mean hours between failures of one replica; 0: none. A failure is noticed after `detect_s`."""

    mtbf_h: float = 0.0
    detect_s: float = 15.0


@dataclass(slots=True)
class Fleet:
    """Takes windows; counts the seconds that replicas existed. Call `start` once."""

    clock: Clock
    service: Service
    limits: BatchLimits
    scaling: Scaling
    failures: Failures
    speed: float
    """Seconds of sound a second of one busy replica."""
    chance: random.Random
    replicas: list[Replica] = field(default_factory=list)
    starting: int = 0
    most_replicas: int = 0
    replica_s: float = 0.0
    refusals: int = 0
    failed: int = 0
    ended: list[Replica] = field(default_factory=list)
    _waiting_s: float = 0.0
    """Sound that was submitted and has no text yet."""
    _counted_at: float = 0.0
    _low_since: float | None = None

    def start(self, replicas: int) -> None:
        """Begin with this many, ready."""
        for _ in range(max(self.scaling.least, min(self.scaling.most, replicas))):
            self._add()
        if self.scaling.most > self.scaling.least:
            self.clock.after(self.scaling.decide_s, self._decide)

    def submit(self, window: Window) -> None:
        """The window comes back by itself until it is done."""
        self._waiting_s += window.length_s
        self._place(window)

    def again(self, window: Window) -> None:
        """Its replica ended before it had its text."""
        self.clock.after(REFUSED_WAIT_S, lambda: self._place(window))

    def finish(self, window: Window) -> None:
        """Call it when a window has its text."""
        self._waiting_s -= window.length_s

    @property
    def busy_s(self) -> float:
        return sum(replica.busy_s for replica in (*self.replicas, *self.ended))

    @property
    def batches(self) -> list[tuple[int, float]]:
        return [batch for replica in (*self.replicas, *self.ended) for batch in replica.batches]

    def count(self) -> None:
        """Add the time since the last call: replicas cost from their order on, not from their first batch."""
        self.replica_s += (len(self.replicas) + self.starting) * (self.clock.now - self._counted_at)
        self._counted_at = self.clock.now
        self.most_replicas = max(self.most_replicas, len(self.replicas) + self.starting)

    def _place(self, window: Window) -> None:
        if self.replicas:
            tried = self.chance.sample(self.replicas, min(CHOICES, len(self.replicas)))
            if min(tried, key=lambda replica: replica.outstanding).submit(window):
                return
            self.refusals += 1
        self.again(window)

    def _add(self) -> None:
        self.count()
        replica = Replica(self.clock, self.service, self.limits)
        self.replicas.append(replica)
        if self.failures.mtbf_h:
            self.clock.after(self.chance.expovariate(1 / (self.failures.mtbf_h * 3600)), lambda: self._fail(replica))

    def _order(self, delay_s: float) -> None:
        self.count()
        self.starting += 1

        def arrive() -> None:
            self.count()
            self.starting -= 1
            self._add()

        self.clock.after(delay_s, arrive)

    def _fail(self, replica: Replica) -> None:
        if replica not in self.replicas:
            return
        self.count()
        self.failed += 1
        self.replicas.remove(replica)
        self.ended.append(replica)
        # Its requests wait until the failure is noticed; then a new one starts in its place.
        replica.hang()
        self.clock.after(self.failures.detect_s, replica.end)
        self._order(self.failures.detect_s + self.scaling.start_s)

    def _decide(self) -> None:
        self.count()
        wanted = -(-self._waiting_s // (self.speed * self.scaling.drain_s))
        wanted = min(self.scaling.most, max(self.scaling.least, int(wanted)))
        there = len(self.replicas) + self.starting
        if wanted >= there:
            self._low_since = None
        elif self._low_since is None:
            self._low_since = self.clock.now
        elif self.clock.now - self._low_since >= self.scaling.idle_s:
            # One at a time, and only one without work: its windows would begin again.
            if (idle := next((each for each in self.replicas if not each.outstanding), None)) is not None:
                self.replicas.remove(idle)
                self.ended.append(idle)
            self._low_since = self.clock.now - self.scaling.idle_s / 2
        for _ in range(wanted - there):
            self._order(self.scaling.start_s)
        self.clock.after(self.scaling.decide_s, self._decide)
