"""A web server with the relay's websockets, that sends its clients away kindly before it stops."""

from __future__ import annotations

import socket
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

from api.realtime.relay.app import create_relay
from api.realtime.relay.server import Relay
from api.realtime.relay.websocket import WebSocket
from api.server.web import server_config
from api.settings import ApiSettings


class DrainingServer(uvicorn.Server):
    """uvicorn closes websockets before it tells the application that it stops; by then it is too late for 4200."""

    def __init__(self, config: uvicorn.Config, relay: Relay) -> None:
        super().__init__(config)
        self._relay = relay

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._relay.start()
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._relay.drain()
        await super().shutdown(sockets)
        await self._relay.stop()


def make_server(settings: ApiSettings) -> DrainingServer:
    """The relay alone, on the host and port of the settings; `make_server(settings).run()` serves until SIGTERM."""
    app = create_relay(settings)
    return draining_server(settings, app, app.state.relay)


def draining_server(settings: ApiSettings, app: ASGIApp, relay: Relay) -> DrainingServer:
    """Any application that holds the relay; the web process runs this too."""

    def accept(config: uvicorn.Config, server_state: ServerState, app_state: dict[str, Any]) -> WebSocket:
        return WebSocket(relay, server_state)

    return DrainingServer(server_config(app, settings, websockets=accept), relay)
