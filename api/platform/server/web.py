"""The one way to build a web server: the commands `api`, `uploads` and `relay` all run a `WebServer`."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from typing import Any, Protocol, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

from api.platform.http.limits import SOCKET_MESSAGE_BYTES_MAX
from api.platform.server.request_heads import BoundedHttpProtocol
from api.platform.settings import ApiSettings

SWITCH_S = 0.0005
"""How long a thread keeps Python's lock while the event loop waits for it, ten times less than Python's own. A change
of 20,000 lines computes for seconds in a thread, and a small edit beside it changes threads a hundred times."""

CLOSE_WITHIN_S = 2
"""How long running requests have at a stop. Uploads resume and websockets reconnect."""


class Websockets(Protocol):
    """Accepts websockets below ASGI."""

    def accept(self, state: ServerState) -> asyncio.Protocol:
        """The protocol of one new connection, which adds itself to `state.connections`."""
        ...

    def start(self) -> None: ...

    async def drain(self) -> None:
        """Send every client away with a close code. uvicorn then closes what is left."""
        ...

    async def stop(self) -> None: ...


class WebServer(uvicorn.Server):
    """uvicorn with our limits, timeouts and websockets. `run()` serves until SIGTERM or SIGINT.

    uvicorn closes websockets before it runs the application's shutdown, which is too late for a close code. So
    `Websockets.drain` runs first.
    """

    def __init__(self, app: ASGIApp, settings: ApiSettings, *, websockets: Websockets | None = None) -> None:
        """Without `websockets`, the server ignores an offer of one and treats the request as plain HTTP."""
        super().__init__(_config(app, settings, websockets))
        self._websockets = websockets
        self.on_ready: Callable[[], None] | None = None
        """Called once it answers."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        sys.setswitchinterval(SWITCH_S)
        if self._websockets is not None:
            self._websockets.start()
        await super().startup(sockets)
        if self.started and self.on_ready is not None:
            self.on_ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._websockets is not None:
            await self._websockets.drain()
        await super().shutdown(sockets)
        if self._websockets is not None:
            await self._websockets.stop()


def _config(app: ASGIApp, settings: ApiSettings, websockets: Websockets | None) -> uvicorn.Config:
    def accept(config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]) -> asyncio.Protocol:
        assert websockets is not None
        return websockets.accept(server_state)

    return uvicorn.Config(
        app,
        http=BoundedHttpProtocol,
        # uvicorn only calls it, once per connection, with these three keywords.
        ws="none" if websockets is None else cast(type[asyncio.Protocol], accept),
        host=settings.host,
        port=settings.port,
        proxy_headers=bool(settings.forwarded_allow_ips),
        forwarded_allow_ips=settings.forwarded_allow_ips,
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=SOCKET_MESSAGE_BYTES_MAX,
        # Of sound in base64 little is saved, and it costs memory for each connection.
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=CLOSE_WITHIN_S,
    )
