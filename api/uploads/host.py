"""The upload host of this product: the tus app with its database, its disk and its rules, mounted or alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.routing import Mount
from starlette.types import ASGIApp

from api.db.engine import DATABASE_AWAY, Database
from api.http.hosts import OwnHosts
from api.http.pages import SafeHeaders
from api.http.state import AppState
from api.settings import ApiSettings
from api.uploads.completion import UploadCompletion
from api.uploads.places import incoming_locks, incoming_store
from api.uploads.sweep import sweeping
from api.uploads.tus.app import create_tus_app
from api.uploads.tus.host import TusHost
from api.uploads.tus.rules import EXPIRES_AFTER, TusRules
from api.uploads.tus_auth import DatabaseAuthenticator
from api.uploads.tus_records import DatabaseRecords
from cluster.storage import StorageUnavailable, open_storage

MOUNT = "/tus"

AWAY = (*DATABASE_AWAY, StorageUnavailable)
"""What makes the host answer that it cannot work just now."""


@dataclass(frozen=True)
class UploadHost:
    app: ASGIApp
    tus: TusHost
    database: Database

    def sweeping(self) -> AbstractAsyncContextManager[None]:
        """Tidies in the background while the context is open."""
        return sweeping(self.tus, self.database)


# A coroutine: FastAPI would send a plain function through a thread, for each request.
async def _shared_host(connection: HTTPConnection) -> TusHost:
    return cast(TusHost, connection.app.state.tus)


SharedHost = Annotated[TusHost, Depends(_shared_host)]
"""The one host of the web process, for routes that touch the bytes of an upload: each has threads and a client."""


def make_tus_host(state: AppState) -> TusHost:
    store = incoming_store(state)
    return TusHost(
        records=DatabaseRecords(state.database, state.settings, expires_after=EXPIRES_AFTER),
        authenticator=DatabaseAuthenticator(state.database, state.settings),
        complete=UploadCompletion(state.database, state.storage, store),
        store=store,
        locks=incoming_locks(state),
        rules=TusRules(
            max_size=state.settings.max_upload_bytes,
            own_origins=state.settings.page_origins,
            # A path alone would be this host's, by whatever name people reach it.
            address=state.settings.uploads_endpoint if "://" in state.settings.uploads_endpoint else None,
        ),
    )


def make_upload_host(state: AppState) -> UploadHost:
    """For a process that has other work too: mount `app` at `MOUNT` and keep `sweeping()` open while it runs."""
    tus = make_tus_host(state)
    return UploadHost(app=create_tus_app(tus, unavailable=AWAY), tus=tus, database=state.database)


def create_upload_host(settings: ApiSettings) -> Starlette:
    """The upload host as a process of its own."""
    state = AppState(settings=settings, database=Database(settings.db_url), storage=open_storage(settings))
    host = make_upload_host(state)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with host.sweeping():
            yield
        await state.database.close()

    app = Starlette(routes=[Mount(MOUNT, app=host.app)], lifespan=lifespan)
    app.add_middleware(OwnHosts, names=settings.host_names, url=settings.base_url)
    app.add_middleware(SafeHeaders, is_https=settings.is_https)
    return app
