"""The upload server and the relay as processes of their own, with the probes and figures that the web process has."""

from __future__ import annotations

from functools import partial

from starlette.applications import Starlette

from api.content.uploads.server import MOUNT, create_upload_app
from api.job_types import JOB_TYPES
from api.platform.operations.figures import ProcessFigures, relay_gauges
from api.platform.operations.looks import database_and_storage, redis_answers
from api.platform.operations.plain_routes import probe_routes
from api.platform.operations.readiness import ReadinessProbe
from api.platform.operations.requests import MeasureRequests, NoteRoute
from api.platform.realtime.relay.app import RelayWebsockets, create_relay
from api.platform.server.web import WebServer
from api.platform.settings import ApiSettings

RELAY_MOUNTS = ("/app/", "/apps/", "/pusher/")


def upload_server(settings: ApiSettings) -> WebServer:
    app = create_upload_app(settings)
    app.state.job_types = JOB_TYPES
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
