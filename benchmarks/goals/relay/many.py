"""Goal 18 and the 5,000 channels: the cost of open connections, and how they reconnect."""

from __future__ import annotations

import random
import signal
import time
from dataclasses import dataclass

from benchmarks.goals.relay.crowd import Crowd
from benchmarks.goals.relay.servers import Ours, data
from cluster.testing.processes import cpu_seconds, peak_rss_bytes, rss_bytes

SETTLE_S = 2.0


@dataclass(frozen=True, slots=True)
class Idle:
    kb_each: float
    cpu_percent: float


@dataclass(frozen=True, slots=True)
class Held:
    p50_ms: float
    p99_ms: float
    lost: int
    peak_mb: float
    back_s: float


def channels(count: int) -> list[str]:
    """Each user's own channel, as the product names it."""
    return [f"private-polling.{index:08d}" for index in range(count)]


def idle(server: Ours, crowd: Crowd, count: int, seconds: float) -> Idle:
    """Hold connections that are subscribed and idle."""
    # The first connections make the server import and fill its caches.
    crowd.open("first", server.target(channels(50)), 50)
    before = rss_bytes(server.pid)
    crowd.open("idle", server.target([f"{name}.idle" for name in channels(count)]), count)
    time.sleep(SETTLE_S)
    each = (rss_bytes(server.pid) - before) / count
    used = cpu_seconds(server.pid)
    time.sleep(seconds)
    percent = (cpu_seconds(server.pid) - used) / seconds * 100
    crowd.close("first")
    crowd.close("idle")
    return Idle(each / 1024, percent)


def held(server: Ours, crowd: Crowd, count: int, per_s: int, seconds: float) -> Held:
    """Hold `count` channels of one listener each, send `per_s` events to random ones, then kill the server."""
    names = channels(count)
    crowd.open("many", server.target(names), count)
    crowd.keep_delays("many")
    numbers = dict.fromkeys(names, 0)
    pick = random.Random(3)
    sent = 0
    started = due = time.monotonic()
    while time.monotonic() - started < seconds:
        time.sleep(max(0.0, due - time.monotonic()))
        due += 10 / per_s
        events = []
        for name in pick.sample(names, 10):
            events.append((name, data(numbers[name])))
            numbers[name] += 1
        server.publish(events)
        sent += len(events)
    deliveries = crowd.collect("many", sent)
    peak = peak_rss_bytes(server.pid)
    delays = sorted(deliveries.delays_s)
    server.stop(signal.SIGKILL)
    started = time.monotonic()
    server.start()
    crowd.back("many", 60)
    back = time.monotonic() - started
    crowd.close("many")
    return Held(
        delays[len(delays) // 2] * 1000,
        delays[int(len(delays) * 0.99)] * 1000,
        sent - deliveries.delivered + deliveries.out_of_order,
        peak / 1e6,
        back,
    )
