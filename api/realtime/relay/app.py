"""The relay as an ASGI application: mounted by the web process, or a process of its own."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from api.realtime.relay.channels import Application
from api.realtime.relay.http_api import publish_batch, publish_event
from api.realtime.relay.server import Sockets
from api.settings import ApiSettings


def make_sockets(settings: ApiSettings) -> Sockets:
    application = Application(settings.realtime_app_id, settings.realtime_key, settings.relay_secret)
    return Sockets(application, origins=settings.page_origins)


def relay_routes(sockets: Sockets) -> list[BaseRoute]:
    """The relay's routes for an application that has others too. `DrainingServer` runs such an application."""

    async def websocket(opened: WebSocket) -> None:
        await sockets.serve(opened)

    async def events(request: Request) -> JSONResponse:
        return await publish_event(request, sockets.channels)

    async def batch_events(request: Request) -> JSONResponse:
        return await publish_batch(request, sockets.channels)

    return [
        WebSocketRoute("/app/{key}", websocket),
        Route("/apps/{app_id}/events", events, methods=["POST"]),
        Route("/apps/{app_id}/batch_events", batch_events, methods=["POST"]),
    ]


def create_relay(settings: ApiSettings) -> Starlette:
    """The relay alone."""
    sockets = make_sockets(settings)
    app = Starlette(routes=relay_routes(sockets))
    app.state.sockets = sockets
    return app
