"""The relay as an ASGI application, mounted by the web process or run as its own process.

Websockets do not pass through it: `RelayWebsockets` accepts them below ASGI.
"""

from __future__ import annotations

import structlog
from starlette.applications import Starlette
from starlette.routing import BaseRoute
from uvicorn.server import ServerState

from api.platform.http.bodies import BoundedBodies
from api.platform.realtime.relay.http_api import http_routes
from api.platform.realtime.relay.limits import Limits, descriptors_for
from api.platform.realtime.relay.server import Relay
from api.platform.realtime.relay.subscriptions import Application
from api.platform.realtime.relay.websocket import WebSocket
from api.platform.realtime.relay.xhr import Sessions
from api.platform.settings import ApiSettings

log = structlog.get_logger(__name__)


def make_relay(settings: ApiSettings) -> Relay:
    capacity = descriptors_for(settings.realtime_capacity)
    if capacity < settings.realtime_capacity:
        log.warning("relay.few_descriptors", wanted=settings.realtime_capacity, possible=capacity)
    return Relay(
        Application(settings.realtime_app_id, settings.realtime_key, settings.relay_secret),
        origins=settings.page_origins,
        limits=Limits(
            quota=settings.realtime_quota,
            capacity=capacity,
            per_address=settings.realtime_per_address,
            authorize_within_s=settings.realtime_authorize_within_s,
            calls_per_s=settings.realtime_calls_per_s,
            client_events=settings.realtime_client_events,
        ),
        redis_url=settings.redis_url,
    )


def relay_routes(relay: Relay) -> list[BaseRoute]:
    """The relay's routes, for an application with other routes too. Its server needs `RelayWebsockets`."""
    return [*http_routes(relay), *Sessions(relay).routes()]


def create_relay(settings: ApiSettings) -> Starlette:
    """The relay alone."""
    relay = make_relay(settings)
    app = Starlette(routes=relay_routes(relay))
    app.state.relay = relay
    app.add_middleware(BoundedBodies)
    return app


class RelayWebsockets:
    """`Websockets` of a relay."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self.start = relay.start
        self.drain = relay.drain
        self.stop = relay.stop

    def accept(self, state: ServerState) -> WebSocket:
        return WebSocket(self._relay, state)
