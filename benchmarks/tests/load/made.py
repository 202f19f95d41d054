"""Targets and requests that the tests of the load bench control."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from benchmarks.measure.load.clips import Clip
from benchmarks.measure.load.request import Ending, Request
from benchmarks.measure.load.target import Failed, Refused

CLIPS = [Clip(f"clip-{index}", bytes(2 * 16_000 * seconds)) for index, seconds in enumerate((1, 2, 3))]


class Gate:
    """Answers nobody until `needed` requests are there at once."""

    def __init__(self, needed: int) -> None:
        self._needed = needed
        self._open = asyncio.Event()
        self.here = self.most = 0

    async def transcribe(self, clip: Clip, number: int) -> None:
        self.here += 1
        self.most = max(self.most, self.here)
        if self.here >= self._needed:
            self._open.set()
        await self._open.wait()
        self.here -= 1


class Refusing:
    """Refuses each request this often before it answers, and fails requests of the given numbers."""

    def __init__(self, times: int, *, failing: Sequence[int] = ()) -> None:
        self._times = times
        self._failing = failing
        self._refused: dict[int, int] = {}

    async def transcribe(self, clip: Clip, number: int) -> None:
        if number in self._failing:
            raise Failed("HTTP 500: broken")
        count = self._refused[number] = self._refused.get(number, 0) + 1
        if count <= self._times:
            raise Refused("HTTP 429", 0.0)


def answered(due_s: float, latency_s: float, *, audio_s: float = 1.0, ending: Ending = Ending.DONE) -> Request:
    return Request(due_s, due_s, due_s + latency_s, audio_s, ending)
