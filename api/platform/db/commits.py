"""A mark of the database's contents that differs after each commit of any process.

Two equal marks mean that nothing was committed between them. So a web process may keep what it read before the first
and use it after the second: sign-outs, lost roles and new files count at once, whichever process wrote them.

PostgreSQL: `pg_current_snapshot()` names the transactions whose changes are visible. The server's start is part of the
mark, because a standby that takes over may give a number again. SQLite: `PRAGMA data_version` counts the commits of all
other connections, so one connection does nothing else.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable
from contextlib import suppress

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from api.platform.db.sharing import SharedRun

_SNAPSHOT = text("SELECT pg_current_snapshot()::text, pg_postmaster_start_time()")

Mark = Hashable


class Commits:
    """Reads the marks of one database."""

    def __init__(self, engine: AsyncEngine) -> None:
        """`engine` runs each statement by itself, without a transaction."""
        self._engine = engine
        self._is_sqlite = engine.dialect.name == "sqlite"
        self._snapshot = SharedRun(self._read_snapshot)
        self._connection: sqlite3.Connection | None = None
        self._connections = 0

    async def mark(self) -> Mark | None:
        """The mark now. None when there is none: two of these are not equal."""
        return self._data_version() if self._is_sqlite else await self._snapshot.result()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    async def _read_snapshot(self) -> Mark:
        async with self._engine.connect() as connection:
            return tuple((await connection.execute(_SNAPSHOT)).one())

    def _data_version(self) -> Mark | None:
        # A few microseconds on memory that SQLite's connections share: too little for a thread.
        try:
            if self._connection is None:
                self._connection = self._connect()
            # Read to the end: a statement that is still open would see the same moment forever.
            ((version,),) = self._connection.execute("PRAGMA data_version").fetchall()
        except sqlite3.Error:
            with suppress(sqlite3.Error):
                self.close()
            return None
        return self._connections, version

    def _connect(self) -> sqlite3.Connection:
        # The numbers of two connections cannot be compared.
        self._connections += 1
        address = f"file:{self._engine.url.database}?mode=rw"
        return sqlite3.connect(address, uri=True, timeout=0, check_same_thread=False, isolation_level=None)
