"""What the requests of one web process share, and how routes get it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import HTTPConnection

from api.platform.db.engine import Database
from api.platform.settings import ApiSettings
from cluster.storage.objects import Storage


@dataclass(frozen=True)
class AppState:
    settings: ApiSettings
    database: Database
    storage: Storage


# A coroutine: FastAPI would send a plain function through a thread, for each request.
async def get_state(connection: HTTPConnection) -> AppState:
    return cast(AppState, connection.app.state.shared)


State = Annotated[AppState, Depends(get_state)]


async def _write_session(state: State) -> AsyncIterator[AsyncSession]:
    async with state.database.write() as session:
        yield session


async def _read_session(state: State) -> AsyncIterator[AsyncSession]:
    async with state.database.read() as session:
        yield session


# "function" scope: the transaction commits before the answer is sent, so no answer reports a change that was not saved.
WriteSession = Annotated[AsyncSession, Depends(_write_session, scope="function")]
ReadSession = Annotated[AsyncSession, Depends(_read_session, scope="function")]
