"""Whoever acts in a run: their browser, the journal, their luck, and counts of what they did."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from benchmarks.soak.browser import AGAIN_AFTER_S, SERVER_AWAY, TOO_MANY, Answer, Browser
from benchmarks.soak.durability.journal import Journal

TOO_MANY_WAIT_S = 2.0


@dataclass
class Actor:
    name: str
    browser: Browser
    journal: Journal
    luck: random.Random
    done: Counter[str] = field(default_factory=Counter)

    def counted(self, what: str) -> None:
        self.done[what] += 1

    def one_in(self, count: int) -> bool:
        return self.luck.randrange(count) == 0

    async def insist(self, method: str, path: str, **body: Any) -> Answer:
        """Repeat until a server answers."""
        while True:
            answer = await self.browser.try_once(method, path, **body)
            if answer is not None and answer.status_code == TOO_MANY:
                await asyncio.sleep(TOO_MANY_WAIT_S)
            elif answer is not None and answer.status_code < SERVER_AWAY:
                return answer
            else:
                await asyncio.sleep(AGAIN_AFTER_S)
