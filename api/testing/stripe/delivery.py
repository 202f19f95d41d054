"""Sends the stand-in's events to the product's webhook, signed as Stripe signs them."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx2
from stripe import WebhookSignature

from api.testing.stripe.world import World
from cluster.testing.patience import PATIENCE_S

RETRY_S = 2.0


def signed(event: dict[str, Any], secret: str, timestamp: int | None = None) -> tuple[str, dict[str, str]]:
    """The body and the headers of a delivery."""
    body = json.dumps(event)
    header = WebhookSignature.generate_signature_header(body, secret, timestamp)
    return body, {"Stripe-Signature": header, "Content-Type": "application/json"}


class Delivery:
    """One event after the other, each until it is taken."""

    def __init__(self, world: World, url: str, secret: str) -> None:
        self._world = world
        self._url = url
        self._secret = secret
        self._sent = len(world.events)
        self._wanted = asyncio.Event()

    def wake(self) -> None:
        self._wanted.set()

    async def settle(self) -> None:
        """Wait until everything that happened so far is delivered."""
        upto = len(self._world.events)
        self.wake()
        while self._sent < upto:
            await asyncio.sleep(0.02)

    async def run(self) -> None:
        async with httpx2.AsyncClient(timeout=PATIENCE_S, trust_env=False) as client:
            while True:
                while self._sent < len(self._world.events):
                    if await self._send(client, self._world.events[self._sent]):
                        self._sent += 1
                    else:
                        await asyncio.sleep(RETRY_S)
                self._wanted.clear()
                await self._wanted.wait()

    async def _send(self, client: httpx2.AsyncClient, event: dict[str, Any]) -> bool:
        body, headers = signed(event, self._secret)
        try:
            answer = await client.post(self._url, content=body, headers=headers)
        except httpx2.HTTPError:
            return False
        return answer.is_success
