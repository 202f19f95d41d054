"""The last comparison of speech engines, in the database of this installation."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from api.platform.settings import ApiSettings

if TYPE_CHECKING:
    from api.platform.db.engine import Database
    from pipelines.evidence.record import EngineEvidence
    from serve.core.messages import EngineInfo

Answer = TypeVar("Answer")

NO_INSTALLATION = "there is no installation in this data folder yet; `sagascript up` makes one"


class NotStored(Exception):
    """The database cannot be used; the message says why, as a clause."""


def store(settings: ApiSettings, measured: Sequence[EngineEvidence]) -> None:
    """Keep a comparison in place of the last one. Raises NotStored."""
    from api.platform.capabilities.evidence import keep_evidence

    async def keep(database: Database) -> None:
        async with database.write() as session:
            await keep_evidence(session, measured)

    with_database(settings, keep)


def last_advice(settings: ApiSettings, used: EngineInfo) -> str:
    """What the last comparison says about the engine in use. Raises NotStored."""
    from api.platform.capabilities.evidence import advice, evidence

    async def read(database: Database) -> str:
        async with database.read() as session:
            return advice(await evidence(session), used)

    return with_database(settings, read)


def with_database(settings: ApiSettings, work: Callable[[Database], Awaitable[Answer]]) -> Answer:
    """What `work` returns of the installation's database, which is not made here. Raises NotStored."""
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import SQLAlchemyError

    from api.platform.db.engine import Database
    from api.platform.db.failures import reason

    url = make_url(settings.db_url)
    if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
        # To open it would make it.
        raise NotStored(NO_INSTALLATION)

    async def worked() -> Answer:
        database = Database(settings.db_url)
        try:
            return await work(database)
        finally:
            await database.close()

    try:
        return asyncio.run(worked())
    except (SQLAlchemyError, OSError) as problem:
        raise NotStored(reason(problem)) from problem
