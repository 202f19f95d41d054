"""Callers: an open loop, whose arrivals nothing can slow, and a closed one with a fixed number of callers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from enum import StrEnum
from itertools import count

from benchmarks.measure.load.arrivals import Arrival
from benchmarks.measure.load.clips import Clip
from benchmarks.measure.load.request import Ending, Request
from benchmarks.measure.load.target import Failed, Refused, Target

START_S = 0.05
"""Head start of the clock, so that the first arrival is not late."""
RETRY_S = 1.0
"""Wait after a refusal that names no time."""


class OnRefusal(StrEnum):
    """What a refused caller does."""

    WAIT = "wait"
    """Come back after Retry-After until patience ends; the latency counts from the first try."""
    COUNT = "count"
    """Leave, and be counted."""


class Callers:
    """Sends clips to one target and records every request."""

    def __init__(
        self, target: Target, clips: Sequence[Clip], *, on_refusal: OnRefusal = OnRefusal.WAIT, patience_s: float = 60.0
    ) -> None:
        """A caller gives up `patience_s` after it was due."""
        self._target = target
        self._clips = clips
        self._on_refusal = on_refusal
        self._patience_s = patience_s
        self._start = 0.0
        self._numbers = count()

    async def arrive(self, arrivals: Sequence[Arrival]) -> list[Request]:
        """Open loop: send each request when it is due, whatever became of the others."""
        self._start = time.perf_counter() + START_S
        tasks: list[asyncio.Task[Request]] = []
        for arrival in arrivals:
            if (wait := arrival.due_s - self._now()) > 0:
                await asyncio.sleep(wait)
            tasks.append(asyncio.create_task(self._request(arrival.due_s, self._clips[arrival.clip])))
        return list(await asyncio.gather(*tasks))

    async def take_turns(self, callers: int, seconds: float) -> list[Request]:
        """Closed loop: each caller sends its next clip as soon as it has the answer to its last one.

        The load follows the server: this shows throughput and batches, not what users would wait.
        """
        self._start = time.perf_counter()
        requests: list[Request] = []
        turns = count()

        async def call() -> None:
            while (now := self._now()) < seconds:
                requests.append(await self._request(now, self._clips[next(turns) % len(self._clips)]))

        await asyncio.gather(*(call() for _ in range(callers)))
        return requests

    def _now(self) -> float:
        return time.perf_counter() - self._start

    async def _request(self, due_s: float, clip: Clip) -> Request:
        sent_s, number, refusals = self._now(), next(self._numbers), 0
        ending, problem = Ending.DONE, ""
        try:
            async with asyncio.timeout(self._patience_s):
                while True:
                    try:
                        await self._target.transcribe(clip, number)
                        break
                    except Refused as refused:
                        refusals += 1
                        if self._on_refusal is OnRefusal.COUNT:
                            ending, problem = Ending.REFUSED, refused.problem
                            break
                        await asyncio.sleep(RETRY_S if refused.retry_after_s is None else refused.retry_after_s)
        except Failed as failed:
            ending, problem = Ending.FAILED, str(failed)
        except TimeoutError:
            ending = Ending.REFUSED if refusals else Ending.UNFINISHED
            problem = f"{'Refused until' if refusals else 'No answer within'} {self._patience_s:g} s"
        return Request(due_s, sent_s, self._now(), clip.seconds, ending, refusals, problem)
