"""Whether a process can do its work. Each problem is a sentence."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from api.platform.db.engine import DATABASE_AWAY
from api.platform.http.errors import Unavailable
from api.platform.operations.schemas import Readiness

FRESH_S = 5.0
"""Probes come often, and some checks write. They share one answer for this long."""
WITHIN_S = 3.0
"""A check without an answer in this time has failed."""


@dataclass(frozen=True, slots=True)
class Look:
    """One thing to check. `look` returns what is wrong, or nothing; `away` is the sentence when it does not answer."""

    name: str
    look: Callable[[], Awaitable[str]]
    away: str


@dataclass(frozen=True, slots=True)
class ReadinessCheck:
    """`sentence` says what is wrong and what to do; it is empty when all is well."""

    name: str
    sentence: str


class ReadinessProbe:
    def __init__(self, looks: Sequence[Look]) -> None:
        self._looks = looks
        self._newest: tuple[list[ReadinessCheck], float] | None = None
        self._lock = asyncio.Lock()

    async def checks(self) -> list[ReadinessCheck]:
        async with self._lock:
            if self._newest is None or time.monotonic() - self._newest[1] > FRESH_S:
                self._newest = (list(await asyncio.gather(*map(_check, self._looks))), time.monotonic())
            return self._newest[0]

    async def answer(self) -> Readiness:
        """What was checked. Raises `Unavailable`, with a sentence for each problem."""
        checks = await self.checks()
        problems = {check.name: [check.sentence] for check in checks if check.sentence}
        if problems:
            raise Unavailable(" ".join(sentence for (sentence,) in problems.values()), errors=problems)
        return Readiness(status="ready", checks=[check.name for check in checks])


async def _check(look: Look) -> ReadinessCheck:
    try:
        async with asyncio.timeout(WITHIN_S):
            sentence = await look.look()
    except (TimeoutError, *DATABASE_AWAY):
        sentence = look.away
    return ReadinessCheck(look.name, sentence)
