"""The web process: JSON API, pages, and the upload server and relay unless they run separately."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from functools import partial

from fastapi import FastAPI

from api.content.belongings.ending import ContentBelongings
from api.content.library.list_answers import AnswerCache
from api.content.live.rooms import Rooms
from api.content.uploads.queries import uploads_in_progress
from api.content.uploads.server import MOUNT, tus_app, tus_context
from api.content.uploads.sweep import sweeping
from api.edges.rest.document import install_rest_document
from api.edges.speech.decoding import Decoding
from api.edges.speech.realtime.sessions import RealtimeSessions
from api.edges.speech.routes import AUDIO
from api.edges.speech.waiting import Waiting
from api.job_types import JOB_TYPES
from api.openapi import install_openapi
from api.people.auth.attempts import Attempts
from api.people.auth.viewer import load_viewer
from api.people.billing.payments import open_billing
from api.people.billing.upkeep import keeping
from api.people.providers.settings_entries import entries_of_settings
from api.people.single_sign_on.metadata import ProviderMetadata
from api.platform.db.engine import Database
from api.platform.db.search_queue import keeping_index
from api.platform.db.suspended import end_suspended_holders, locks_of
from api.platform.http.bodies import BoundedBodies
from api.platform.http.deadline import AnswerInTime
from api.platform.http.errors import install_error_handlers
from api.platform.http.hosts import OwnHosts
from api.platform.http.pages.front_end import SafeHeaders, install_pages
from api.platform.http.pages.language import PageLanguage
from api.platform.http.paths import PlainPaths
from api.platform.http.repeat import RepeatOnce
from api.platform.http.request_ids import RequestIds
from api.platform.http.state import AppState
from api.platform.operations.figures import ProcessFigures, relay_gauges
from api.platform.operations.looks import database_and_storage, relay_answers
from api.platform.operations.page_origins import page_origins
from api.platform.operations.readiness import ReadinessProbe
from api.platform.operations.requests import MeasureRequests, NoteRoute
from api.platform.realtime.openapi import webhooks
from api.platform.realtime.relay.app import RelayWebsockets, make_relay, relay_routes
from api.platform.server.web import WebServer
from api.platform.settings import ApiSettings, get_settings
from api.routers import ROUTERS
from cluster.background import end
from cluster.storage.opening import open_storage

MOUNTS = (MOUNT, "/app/", "/apps/", "/pusher/")
OWN_TIME = (*MOUNTS, AUDIO)
"""Uploads have no deadline, the relay holds its requests open, and programs wait for the texts of their files."""


def create_app(settings: ApiSettings | None = None) -> FastAPI:
    settings = settings or get_settings()
    # A wrong entry is known before anybody needs it.
    entries_of_settings(settings)
    database = Database(settings.db_url, billing=settings.billing)
    shared = AppState(settings=settings, database=database, storage=open_storage(settings))
    tus = tus_context(shared)
    billing = open_billing(shared)
    decoding = Decoding(is_allowed=settings.ray_address is None)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        watching = asyncio.create_task(end_suspended_holders(locks_of(shared.database), enabled=settings.end_suspended))
        uploads = sweeping(tus, shared.database) if settings.serve_uploads else nullcontext()
        async with uploads, keeping(billing), keeping_index(shared.database):
            yield
        await end(watching)
        await realtime.close()
        await decoding.close()
        await shared.database.close()

    app = FastAPI(
        title="Sagascript", version="0.1.0", lifespan=lifespan, docs_url=None, redoc_url=None, webhooks=webhooks
    )
    app.state.shared = shared
    app.state.billing = billing
    app.state.attempts = Attempts()
    app.state.provider_metadata = ProviderMetadata()
    app.state.job_types = JOB_TYPES
    app.state.belongings = ContentBelongings()
    app.state.tus = tus
    app.state.speech = Waiting(database)
    app.state.decoding = decoding
    app.state.file_lists = AnswerCache()
    app.state.live_rooms = Rooms(database)
    app.state.realtime = realtime = RealtimeSessions()
    relay = make_relay(settings) if settings.serve_relay else None
    app.state.figures = figures = ProcessFigures() if relay is None else ProcessFigures(partial(relay_gauges, relay))
    app.state.uploads_in_progress = uploads_in_progress
    app.state.readiness = ReadinessProbe([*database_and_storage(shared), relay_answers(settings, relay)])
    install_error_handlers(app)
    app.add_middleware(NoteRoute, mounts=MOUNTS)
    app.add_middleware(RepeatOnce, own_time=OWN_TIME)
    app.add_middleware(AnswerInTime, own_time=OWN_TIME)
    # The routes themselves refuse people who have not confirmed their address.
    admit = partial(load_viewer, settings=settings, database=shared.database, unverified=True)
    app.add_middleware(BoundedBodies, own_limits=(MOUNT, AUDIO), admit=admit)
    app.add_middleware(PageLanguage)
    app.add_middleware(PlainPaths)
    app.add_middleware(OwnHosts, names=settings.host_names, url=settings.base_url)
    app.add_middleware(SafeHeaders, other=page_origins(settings), is_https=settings.is_https)
    app.add_middleware(RequestIds)
    app.add_middleware(MeasureRequests, metrics=figures.requests)
    if settings.serve_uploads:
        # Before the routers: trying all their routes first costs each PATCH 0.1 ms.
        app.mount(MOUNT, tus_app(tus))
    # Not by `include_router`, which makes every route a second time for each app, at its first request: 0.2 s.
    app.router.routes.extend(route for router in ROUTERS for route in router.routes)
    if relay is not None:
        app.state.relay = relay
        app.router.routes.extend(relay_routes(relay))
    install_openapi(app)
    install_rest_document(app)
    install_pages(app, settings.ui_root)
    return app


def create_server(settings: ApiSettings) -> WebServer:
    app = create_app(settings)
    websockets = RelayWebsockets(app.state.relay) if settings.serve_relay else None
    return WebServer(app, settings, websockets=websockets)
