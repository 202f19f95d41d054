"""The relay's websockets in a web server, and the relay as its own process."""

from __future__ import annotations

from uvicorn.server import ServerState

from api.realtime.relay.app import create_relay
from api.realtime.relay.server import Relay
from api.realtime.relay.websocket import WebSocket
from api.server.web import WebServer
from api.settings import ApiSettings


class RelayWebsockets:
    """`Websockets` of a relay."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self.start = relay.start
        self.drain = relay.drain
        self.stop = relay.stop

    def accept(self, state: ServerState) -> WebSocket:
        return WebSocket(self._relay, state)


def create_server(settings: ApiSettings) -> WebServer:
    """The relay alone."""
    app = create_relay(settings)
    return WebServer(app, settings, websockets=RelayWebsockets(app.state.relay))
