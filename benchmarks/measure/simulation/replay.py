"""The same trace through the real engine and scheduler, and through the simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.measure.load.arrivals import Arrival
from benchmarks.measure.load.clips import Clip
from benchmarks.measure.simulation.clock import Clock
from benchmarks.measure.simulation.replica import Replica, Service, Window
from serve.core.replica_messages import BatchLimits
from serve.tasks.transcription.messages import DecodeOptions
from serve.tasks.transcription.whisper.context import context_ms

AGREEMENT = 0.15
"""The simulation must come this near to the real figures."""


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


def replayed(
    arrivals: Sequence[Arrival], clips: Sequence[Clip], service: Service, limits: BatchLimits, *, adaptive: bool = True
) -> list[float]:
    """Simulated latency of each arrival, each a file of its own, in their order."""
    clock, latencies = Clock(), [float("inf")] * len(arrivals)
    replica = Replica(clock, service, limits)
    for number, arrival in enumerate(arrivals):
        clip = clips[arrival.clip]
        context = context_ms(clip.window("", DecodeOptions()), adaptive=adaptive)
        window = Window(f"request-{number}", clip.seconds, context, _ending(clock, latencies, number, arrival), _never)
        clock.at(arrival.due_s, _sending(replica, window))
    clock.run()
    return latencies


def agreements(real: Sequence[float], simulated: Sequence[float]) -> list[Agreement]:
    """Mean and quantiles of two lists of latencies."""
    pairs = [Agreement("mean", float(np.mean(real)), float(np.mean(simulated)))]
    for name, share in (("p50", 0.5), ("p95", 0.95)):
        pairs.append(Agreement(name, float(np.quantile(real, share)), float(np.quantile(simulated, share))))
    return pairs


def _ending(clock: Clock, latencies: list[float], number: int, arrival: Arrival) -> Callable[[], None]:
    def end() -> None:
        latencies[number] = clock.now - arrival.due_s

    return end


def _sending(replica: Replica, window: Window) -> Callable[[], None]:
    def send() -> None:
        if not replica.submit(window):
            replica.clock.after(1.0, send)

    return send


def _never() -> None:
    raise AssertionError("No replica ends in a replay.")
