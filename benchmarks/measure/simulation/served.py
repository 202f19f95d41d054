"""A trace through the served model: Ray Serve, its router and replica, and the product's client."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.measure.load.arrivals import Arrival
from benchmarks.measure.load.callers import Callers
from benchmarks.measure.load.clips import Clip
from benchmarks.measure.load.request import Request
from benchmarks.measure.load.target import Target
from benchmarks.measure.simulation.replica import Service
from cluster.testing.processes import descendants

_REPLICA = b"ServeReplica:transcription"
_PATIENCE_S = 600.0
_WARM_UP, _CALLS = 20, 80


class ServedModel:
    """The application that a target reaches, started below this process."""

    def __init__(self, target: Target, clips: Sequence[Clip]) -> None:
        self._target = target
        self._clips = clips

    def path_s(self, service: Service) -> float:
        """Seconds that a request takes beside the model's call: client, router, network and replica. Send no others."""

        async def one_after_the_other() -> list[float]:
            for number in range(_WARM_UP):
                await self._target.transcribe(self._clips[0], number)
            beside = []
            for number in range(_CALLS):
                clip = self._clips[number % len(self._clips)]
                began = time.perf_counter()
                await self._target.transcribe(clip, number)
                beside.append(time.perf_counter() - began - service.seconds(1, clip.seconds, 1))
            return beside

        return max(0.0, median(asyncio.run(one_after_the_other())))

    def outage_s(self) -> float:
        """Seconds from the death of the replica until another one answers."""

        async def through_it() -> float:
            began = time.perf_counter()
            _kill_replica()
            await self._target.transcribe(self._clips[0], 0)
            return time.perf_counter() - began

        return asyncio.run(through_it())

    def arrive(self, arrivals: Sequence[Arrival], *, dies_at_s: float | None = None) -> list[Request]:
        """Open loop. The replica dies `dies_at_s` after the start, and Serve starts another."""

        async def run() -> list[Request]:
            callers = Callers(self._target, self._clips, patience_s=_PATIENCE_S)
            dying = None if dies_at_s is None else asyncio.get_running_loop().call_later(dies_at_s, _kill_replica)
            try:
                return await callers.arrive(arrivals)
            finally:
                if dying is not None:
                    dying.cancel()

        return asyncio.run(run())


def _kill_replica() -> None:
    for pid in descendants(os.getpid()):
        if _REPLICA in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.kill(pid, signal.SIGKILL)
