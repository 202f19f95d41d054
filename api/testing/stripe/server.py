"""A running stand-in, for tests and for the demonstration."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from api.testing.stripe.app import PUBLISHABLE_KEY, SECRET_KEY, WEBHOOK_SECRET, StandIn
from api.testing.stripe.delivery import Delivery
from api.testing.stripe.world import World
from cluster.testing.patience import PATIENCE_S


class StripeServer:
    """The stand-in on a port of its own, in a thread. Tests talk to it over HTTP alone."""

    def __init__(
        self, *, webhook: str | None = None, state: Path | None = None, port: int = 0, days_ago: float = 0
    ) -> None:
        """`webhook`: where events go; without it, tests deliver them. `days_ago`: where its clock begins."""
        self._socket = socket.create_server(("127.0.0.1", port))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._webhook = webhook
        self._world = World(state, days_ago=days_ago)
        self._world.url = self.url
        self._ready = threading.Event()
        self._server: uvicorn.Server
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings of a product that uses it."""
        return {
            "billing": True,
            "stripe_secret_key": SECRET_KEY,
            "stripe_publishable_key": PUBLISHABLE_KEY,
            "stripe_webhook_secret": WEBHOOK_SECRET,
            "stripe_api_url": self.url,
            "stripe_js_url": f"{self.url}/stripe.js",
        }

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(PATIENCE_S)

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(PATIENCE_S)

    def control(self, what: str, **values: Any) -> Any:
        answer = httpx2.post(f"{self.url}/_control/{what}", json=values, trust_env=False, timeout=PATIENCE_S)
        answer.raise_for_status()
        return answer.json()

    def advance(self, days: float) -> None:
        self.control("advance", days=days)

    async def _serve(self) -> None:
        delivery = Delivery(self._world, self._webhook, WEBHOOK_SECRET) if self._webhook is not None else None
        app = StandIn(self._world, delivery).app()
        self._server = uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False))
        delivering = asyncio.create_task(delivery.run()) if delivery is not None else None
        serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.02)
        self._ready.set()
        await serving
        if delivering is not None:
            delivering.cancel()


@contextmanager
def running_stripe(**options: Any) -> Iterator[StripeServer]:
    server = StripeServer(**options)
    server.start()
    try:
        yield server
    finally:
        server.stop()
