"""The upload server and the relay as processes of their own, with the probes and figures that the web process has."""

from __future__ import annotations

from functools import partial

from starlette.applications import Starlette

from api.operations.figures import ProcessFigures, relay_gauges
from api.operations.looks import database_and_storage, redis_answers
from api.operations.plain_routes import probe_routes
from api.operations.readiness import ReadinessProbe
from api.operations.requests import MeasureRequests, NoteRoute
from api.realtime.relay.app import create_relay
from api.realtime.relay.process import RelayWebsockets
from api.server.web import WebServer
from api.settings import ApiSettings
from api.uploads.server import MOUNT, create_upload_app

RELAY_MOUNTS = ("/app/", "/apps/", "/pusher/")


def upload_server(settings: ApiSettings) -> WebServer:
    app = create_upload_app(settings)
    _measure(app, settings, ProcessFigures(), ReadinessProbe(database_and_storage(app.state.shared)), (MOUNT,))
    return WebServer(app, settings)


def relay_server(settings: ApiSettings) -> WebServer:
    app = create_relay(settings)
    relay = app.state.relay
    figures = ProcessFigures(partial(relay_gauges, relay))
    _measure(app, settings, figures, ReadinessProbe([redis_answers(relay)]), RELAY_MOUNTS)
    return WebServer(app, settings, websockets=RelayWebsockets(relay))


def _measure(
    app: Starlette, settings: ApiSettings, figures: ProcessFigures, probe: ReadinessProbe, mounts: tuple[str, ...]
) -> None:
    app.router.routes.extend(probe_routes(settings, probe, figures))
    app.add_middleware(NoteRoute, mounts=mounts)
    app.add_middleware(MeasureRequests, metrics=figures.requests)
