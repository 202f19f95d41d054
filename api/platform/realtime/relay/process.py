"""The relay's websockets in a web server."""

from __future__ import annotations

from uvicorn.server import ServerState

from api.platform.realtime.relay.server import Relay
from api.platform.realtime.relay.websocket import WebSocket


class RelayWebsockets:
    """`Websockets` of a relay."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self.start = relay.start
        self.drain = relay.drain
        self.stop = relay.stop

    def accept(self, state: ServerState) -> WebSocket:
        return WebSocket(self._relay, state)
