"""Figures of one process in Prometheus' text form: its memory and descriptors, its requests, and what it counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from api.platform.operations.requests import RequestMetrics
from api.platform.realtime.relay.server import Relay

Gauges = Callable[[], Iterable[GaugeMetricFamily]]


class ProcessFigures:
    """One per process. `gauges` gives what the process holds at the time of a call."""

    def __init__(self, gauges: Gauges = tuple) -> None:
        self.registry = CollectorRegistry()
        self.requests = RequestMetrics(self.registry)
        self._gauges = gauges
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)

    def text(self, more: Iterable[GaugeMetricFamily] = ()) -> bytes:
        now = CollectorRegistry()
        now.register(_Families([*self._gauges(), *more]))
        return generate_latest(self.registry) + generate_latest(now)


class _Families(Collector):
    def __init__(self, families: Sequence[GaugeMetricFamily]) -> None:
        self._families = families

    def collect(self) -> Iterable[GaugeMetricFamily]:
        return self._families


def gauge(
    name: str, description: str, values: Iterable[tuple[Sequence[str], float]], labels: Sequence[str] = ()
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"sagascript_{name}", description, labels=labels)
    for labelled, value in values:
        family.add_metric(labelled, value)
    return family


def relay_gauges(relay: Relay) -> list[GaugeMetricFamily]:
    return [
        gauge("realtime_connections", "Browsers connected to this relay.", [((), len(relay))]),
        gauge("realtime_channels", "Channels with listeners on this relay.", [((), len(relay.channels))]),
    ]
