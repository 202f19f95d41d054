"""Goals 15 to 17: one channel, 200 listeners."""

from __future__ import annotations

import time
from dataclasses import dataclass

from benchmarks.goals.pairs import Pairs, alternate
from benchmarks.goals.relay.crowd import Crowd
from benchmarks.goals.relay.listeners import Deliveries
from benchmarks.goals.relay.servers import Minimal, Ours, data
from cluster.testing.processes import cpu_seconds

CHANNEL = "private-polling.benchmark"


class NotDelivered(Exception):
    """Frames were lost or out of order, so the measurement is invalid."""


@dataclass
class FanOut:
    ours: Ours
    theirs: Minimal
    crowd: Crowd
    listeners: int
    _number: int = 0

    def open(self) -> None:
        self.crowd.open("ours", self.ours.target([CHANNEL]), self.listeners)
        self.crowd.open("theirs", self.theirs.target(), self.listeners)

    def close(self) -> None:
        self.crowd.close("ours")
        self.crowd.close("theirs")

    def rates(self, *, burst: int, bursts: int, every_s: float, pairs: int) -> Pairs:
        """Messages delivered per core-second of the server."""
        return alternate(
            lambda: self._rate("ours", self.ours, burst, bursts, every_s),
            lambda: self._rate("theirs", self.theirs, burst, bursts, every_s),
            pairs,
        )

    def delays_ms(self, *, per_s: float, seconds: float) -> list[float]:
        """Delays from call to client of each of our deliveries, sorted."""
        self.crowd.keep_delays("ours")
        count = int(per_s * seconds)
        deliveries = self._send("ours", self.ours, 1, count, 1 / per_s)
        return sorted(delay * 1000 for delay in deliveries.delays_s)

    def _rate(self, name: str, server: Ours | Minimal, burst: int, bursts: int, every_s: float) -> float:
        before = cpu_seconds(server.pid)
        deliveries = self._send(name, server, burst, bursts, every_s)
        return deliveries.delivered / (cpu_seconds(server.pid) - before)

    def _send(self, name: str, server: Ours | Minimal, burst: int, bursts: int, every_s: float) -> Deliveries:
        due = time.monotonic()
        for _ in range(bursts):
            time.sleep(max(0.0, due - time.monotonic()))
            due += every_s
            events = []
            for _ in range(burst):
                events.append((CHANNEL, data(self._number)))
                self._number += 1
            server.publish(events)
        wanted = burst * bursts * self.listeners
        deliveries = self.crowd.collect(name, wanted)
        # The numbers jump after the other server's turn: once per listener, at the first message.
        if deliveries.delivered != wanted or deliveries.out_of_order > self.listeners:
            raise NotDelivered(
                f"{deliveries.delivered} of {wanted} arrived, {deliveries.out_of_order} of them out of order."
            )
        return deliveries
