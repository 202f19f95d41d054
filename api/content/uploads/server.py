"""The upload server: the tus protocol over our database and storage, mounted in the web process or on its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, cast

from fastapi import Depends
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.routing import Mount

from api.content.uploads.completion import UploadCompletion
from api.content.uploads.incoming import incoming_locks, incoming_store
from api.content.uploads.record_rows import DatabaseRecords
from api.content.uploads.sweep import sweeping
from api.content.uploads.token_auth import TokenAuthenticator
from api.content.uploads.tus.app import TusApp
from api.content.uploads.tus.context import EXPIRES_AFTER, TusContext, TusRules
from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.http.hosts import OwnHosts
from api.platform.http.pages.front_end import SafeHeaders
from api.platform.http.request_ids import RequestIds
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from cluster.storage.objects import StorageUnavailable
from cluster.storage.opening import open_storage

MOUNT = "/tus"

AWAY = (*DATABASE_AWAY, StorageUnavailable)
"""Errors that mean uploads are unavailable for a moment."""


# A coroutine: FastAPI would run a plain function in a thread for each request.
async def _shared_context(connection: HTTPConnection) -> TusContext:
    return cast(TusContext, connection.app.state.tus)


SharedTus = Annotated[TusContext, Depends(_shared_context)]
"""The one context of the web process, for routes that touch the bytes of an upload."""


def tus_context(state: AppState) -> TusContext:
    store = incoming_store(state)
    return TusContext(
        records=DatabaseRecords(state.database, state.settings, expires_after=EXPIRES_AFTER),
        authenticator=TokenAuthenticator(state.database, state.settings),
        complete=UploadCompletion(state.database, state.storage, store),
        store=store,
        locks=incoming_locks(state),
        rules=TusRules(
            max_size=state.settings.max_upload_bytes,
            own_origins=state.settings.page_origins,
            # A path alone belongs to this server, whatever name it is reached by.
            address=state.settings.uploads_endpoint if "://" in state.settings.uploads_endpoint else None,
        ),
    )


def tus_app(context: TusContext) -> TusApp:
    """Mount it at `MOUNT`, and keep `sweeping` open while it runs."""
    return TusApp(context, unavailable=AWAY)


def create_upload_app(settings: ApiSettings) -> Starlette:
    """The upload server alone."""
    database = Database(settings.db_url, billing=settings.billing)
    state = AppState(settings=settings, database=database, storage=open_storage(settings))
    context = tus_context(state)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with sweeping(context, state.database):
            yield
        await state.database.close()

    app = Starlette(routes=[Mount(MOUNT, app=tus_app(context))], lifespan=lifespan)
    app.state.shared = state
    app.add_middleware(OwnHosts, names=settings.host_names, url=settings.base_url)
    app.add_middleware(SafeHeaders, is_https=settings.is_https)
    app.add_middleware(RequestIds)
    return app
