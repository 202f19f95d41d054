"""A web server that sends its websocket clients away kindly before it stops."""

from __future__ import annotations

import socket

import uvicorn
from starlette.types import ASGIApp

from api.realtime.relay.app import create_relay
from api.realtime.relay.server import Sockets
from api.settings import ApiSettings

WEBSOCKET_MAX_BYTES = 64 * 1024
"""What the web server reads of one message before it closes with 1009; smaller ones are judged by the protocol."""

GRACEFUL_S = 2
"""Requests that still run at a stop have this long; uploads resume and sockets reconnect."""


class DrainingServer(uvicorn.Server):
    """uvicorn closes websockets before it tells the application that it stops; by then it is too late for 4200."""

    def __init__(self, config: uvicorn.Config, relay: Sockets) -> None:
        super().__init__(config)
        self._relay = relay

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._relay.drain()
        await super().shutdown(sockets)


def make_server(settings: ApiSettings) -> DrainingServer:
    """The relay alone, on the host and port of the settings; `make_server(settings).run()` serves until SIGTERM."""
    app = create_relay(settings)
    return draining_server(settings, app, app.state.sockets)


def draining_server(settings: ApiSettings, app: ASGIApp, relay: Sockets) -> DrainingServer:
    """Any application that holds the relay; the web process runs this too."""
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        server_header=False,
        # Events are small: compression would cost every idle connection more memory than it saves bandwidth.
        ws_per_message_deflate=False,
        ws_max_size=WEBSOCKET_MAX_BYTES,
        timeout_graceful_shutdown=GRACEFUL_S,
    )
    return DrainingServer(config, relay)
