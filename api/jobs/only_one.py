"""A lock between processes that a killed holder gives up: one publisher at a time keeps events in order."""

from __future__ import annotations

import fcntl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import text

from api.db.engine import Database

POSTGRES_LOCK = 7463


@asynccontextmanager
async def only_one(database: Database) -> AsyncIterator[bool]:
    """True inside when this process holds the lock, until the end of the block; False when another does."""
    if database.is_sqlite:
        path = Path(str(database.engine.url.database)).with_suffix(".publisher-lock")
        with path.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                yield False
            else:
                yield True
        return
    async with database.engine.connect() as opened:
        connection = await opened.execution_options(isolation_level="AUTOCOMMIT")
        taken = await connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": POSTGRES_LOCK})
        try:
            yield bool(taken)
        finally:
            if taken:
                await connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": POSTGRES_LOCK})
