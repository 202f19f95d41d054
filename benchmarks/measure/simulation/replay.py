"""The simulation of a trace, and how near it comes to the real run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.measure.load.arrivals import Arrival
from benchmarks.measure.load.clips import Clip
from benchmarks.measure.simulation.clock import Clock
from benchmarks.measure.simulation.replica import Replica, Service, Window
from serve.core.client import RETRY_WAIT_S, SPREAD
from serve.core.replica_messages import BatchLimits
from serve.tasks.transcription.messages import DecodeOptions
from serve.tasks.transcription.whisper.context import context_ms

AGREEMENT = 0.15
"""The simulation must come this near to the real figures."""
MEAN = "mean"


@dataclass(frozen=True, slots=True)
class Agreement:
    """One figure of both; seconds."""

    name: str
    real: float
    simulated: float

    @property
    def difference(self) -> float:
        return abs(self.simulated - self.real) / self.real

    @property
    def is_near(self) -> bool:
        return self.difference <= AGREEMENT


@dataclass(frozen=True, slots=True)
class Outage:
    """The replica dies, and another answers after a while. Seconds after the start, and seconds."""

    at_s: float
    lasts_s: float


def replayed(
    arrivals: Sequence[Arrival],
    clips: Sequence[Clip],
    service: Service,
    limits: BatchLimits,
    *,
    adaptive: bool = True,
    path_s: float = 0.0,
    outage: Outage | None = None,
) -> list[float]:
    """Simulated latency of each arrival, each a file of its own, in their order.

    `path_s` is what a request takes beside the replica, half of it on the way there.
    """
    clock, latencies = Clock(), [float("inf")] * len(arrivals)
    served = _Served(clock, service, limits)
    if outage is not None:
        clock.at(outage.at_s, served.die)
        clock.at(outage.at_s + outage.lasts_s, served.come_back)
    for number, arrival in enumerate(arrivals):
        clip = clips[arrival.clip]
        context = context_ms(clip.window("", DecodeOptions()), adaptive=adaptive)
        end = _ending(clock, latencies, number, arrival, path_s / 2)
        window = Window(f"request-{number}", clip.seconds, context, end, lambda: None)
        window.lost = served.sending(window, after_s=RETRY_WAIT_S * (1 + SPREAD / 2))
        clock.at(arrival.due_s + path_s / 2, served.sending(window))
    clock.run()
    return latencies


class _Served:
    """The one replica, and what its clients do while there is none or it has no room."""

    def __init__(self, clock: Clock, service: Service, limits: BatchLimits) -> None:
        self._clock = clock
        self._service = service
        self._limits = limits
        self._replica: Replica | None = Replica(clock, service, limits)
        self._held: list[Window] = []

    def sending(self, window: Window, *, after_s: float = 0.0) -> Callable[[], None]:
        def send() -> None:
            if self._replica is None:
                self._held.append(window)
            elif not self._replica.submit(window):
                self._clock.after(RETRY_WAIT_S, send)

        return send if after_s == 0 else lambda: self._clock.after(after_s, send)

    def die(self) -> None:
        replica, self._replica = self._replica, None
        assert replica is not None
        replica.end()

    def come_back(self) -> None:
        self._replica = Replica(self._clock, self._service, self._limits)
        held, self._held = self._held, []
        for window in held:
            self.sending(window)()


def agreements(real: Sequence[float], simulated: Sequence[float]) -> list[Agreement]:
    """Mean and quantiles of two lists of latencies."""
    pairs = [Agreement(MEAN, float(np.mean(real)), float(np.mean(simulated)))]
    for name, share in (("p50", 0.5), ("p95", 0.95)):
        pairs.append(Agreement(name, float(np.quantile(real, share)), float(np.quantile(simulated, share))))
    return pairs


def _ending(
    clock: Clock, latencies: list[float], number: int, arrival: Arrival, way_back_s: float
) -> Callable[[], None]:
    def end() -> None:
        latencies[number] = clock.now + way_back_s - arrival.due_s

    return end
