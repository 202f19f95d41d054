"""Takes the stand-in's events to the product as Stripe may: late, doubled, in any order, and again after an error."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any

import httpx2

from api.testing.stripe.app import WEBHOOK_SECRET
from api.testing.stripe.delivery import signed

LATE_S = 3.0
DOUBLED_ONE_IN = 3
AGAIN_S = 1.0
POLL_S = 0.2
TIMEOUT_S = 20.0
OLDEST = 12

Message = dict[str, Any]


@dataclass
class Courier:
    shop_url: str
    product_url: str
    luck: random.Random
    delivered: int = 0
    refused: int = 0
    _seen: int = 0
    _waiting: list[tuple[float, Message]] = field(default_factory=list)
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def run(self) -> None:
        while True:
            await self.deliver_due()
            await asyncio.sleep(POLL_S)

    async def deliver_due(self, *, everything: bool = False) -> None:
        """Bring what is due, at the same moment. With `everything`, also what has not waited long enough."""
        async with self._lock, httpx2.AsyncClient(trust_env=False, timeout=TIMEOUT_S) as client:
            for event in (await self._events(client))[self._seen :]:
                self._seen += 1
                for _ in range(2 if self.luck.randrange(DOUBLED_ONE_IN) == 0 else 1):
                    self._waiting.append((time.monotonic() + self.luck.uniform(0, LATE_S), event))
            now = time.monotonic()
            due = [event for at, event in self._waiting if everything or at <= now]
            self._waiting = [] if everything else [(at, event) for at, event in self._waiting if at > now]
            self.luck.shuffle(due)
            await asyncio.gather(*(self._bring(client, event) for event in due))

    async def bring_all(self) -> None:
        """Bring everything that happened; then all of it once more in another order, the oldest events last."""
        await self.deliver_due(everything=True)
        while self._waiting:
            await asyncio.sleep(AGAIN_S)
            await self.deliver_due(everything=True)
        async with httpx2.AsyncClient(trust_env=False, timeout=TIMEOUT_S) as client:
            events = await self._events(client)
            oldest, others = events[:OLDEST], events[OLDEST:]
            self.luck.shuffle(others)
            for event in (*others, *reversed(oldest)):
                await self._bring(client, event)

    async def _events(self, client: httpx2.AsyncClient) -> list[Message]:
        return list((await client.post(f"{self.shop_url}/_control/events")).json())

    async def _bring(self, client: httpx2.AsyncClient, event: Message) -> None:
        body, headers = signed(event, WEBHOOK_SECRET)
        try:
            answer = await client.post(f"{self.product_url}/api/billing/webhook", content=body, headers=headers)
        except httpx2.HTTPError:
            answer = None
        if answer is not None and answer.is_success:
            self.delivered += 1
            return
        self.refused += 1
        self._waiting.append((time.monotonic() + AGAIN_S, event))
