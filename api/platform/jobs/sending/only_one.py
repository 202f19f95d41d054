"""A lock between processes that is released when its holder dies. One sender at a time keeps messages in order."""

from __future__ import annotations

import asyncio
import fcntl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import OperationalError, PendingRollbackError

from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.db.suspended import PUBLISHER_LOCK

POSTGRES_LOCK = 7463

SILENT_S = 15.0
"""A holder that sent PostgreSQL nothing for this long is suspended or cut off, and loses the lock to the next taker."""

GONE_WITHIN_MS = 5_000
"""How long to wait for the terminated backend to go: until then it still has the lock."""

Confirm = Callable[[], Awaitable[None]]
"""Call it every few seconds while holding the lock; it raises a database error once the lock is lost."""

_END_SILENT = text(
    "SELECT pg_terminate_backend(activity.pid, :gone_within_ms)"
    " FROM pg_locks lock JOIN pg_stat_activity activity USING (pid)"
    " WHERE lock.locktype = 'advisory' AND lock.objid = :key AND lock.granted"
    " AND lock.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND activity.state_change < now() - make_interval(secs => :silent)"
)


@asynccontextmanager
async def only_one(database: Database, *, silent_s: float = SILENT_S) -> AsyncIterator[Confirm | None]:
    """Try to take the lock until the end of the block. Yields a `Confirm`, or None if another process has it."""
    if database.is_sqlite:
        with _lock_file(database).open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                # A suspended holder on this machine is ended by `api.platform.db.suspended`.
                yield None
            else:
                yield _nothing
        return
    async with database.engine.connect() as opened:
        connection = await opened.execution_options(isolation_level="AUTOCOMMIT")

        confirming = asyncio.Lock()

        async def confirm() -> None:
            # A connection runs one statement at a time.
            async with confirming:
                try:
                    await connection.execute(text("SELECT 1"))
                except PendingRollbackError as error:
                    # The connection broke at the confirmation before this one, of another loop.
                    raise OperationalError("SELECT 1", None, error, connection_invalidated=True) from error

        taken = await connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": POSTGRES_LOCK})
        if not taken:
            await connection.execute(
                _END_SILENT, {"key": POSTGRES_LOCK, "silent": silent_s, "gone_within_ms": GONE_WITHIN_MS}
            )
            yield None
            return
        try:
            yield confirm
        finally:
            with suppress(*DATABASE_AWAY, PendingRollbackError):
                await connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": POSTGRES_LOCK})


def _lock_file(database: Database) -> Path:
    return Path(str(database.engine.url.database)).with_suffix(PUBLISHER_LOCK)


async def _nothing() -> None:
    """Confirm nothing: a file lock is held until the process ends."""
