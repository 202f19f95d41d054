"""Engines for both databases. SQLite gets the settings under which it loses nothing."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import event
from sqlalchemy.engine import ExceptionContext, make_url
from sqlalchemy.exc import InterfaceError, InvalidatePoolError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.pool import ConnectionPoolEntry

from api.platform.db.commit_watch import commit_begins
from api.platform.db.commits import Commits
from api.platform.db.fair_pool import FairPool

IDLE_IN_TRANSACTION = "25P03"
"""The SQLSTATE of a session that PostgreSQL ended because its transaction was idle."""

BILLING = "billing"
"""Key of `Session.info`."""

PING_AFTER_S = 1.0
"""We ping a pooled connection that was idle for longer. A ping costs a quarter of a read."""

SQLITE_CONNECTIONS = 15
"""All are kept: each has a thread, and opening one takes a dozen steps between that thread and the event loop."""

POOL_WAIT_S = 10.0
"""How long a call waits for one of PostgreSQL's connections before its person is asked to try again."""

GONE_AFTER = {
    "connect_timeout": 5,
    "keepalives_idle": 3,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "tcp_user_timeout": 8000,
}
"""A connection on which nothing arrives is dead after 8 seconds instead of the system's two hours."""

DATABASE_AWAY = (OperationalError, InterfaceError, PoolTimeout)
"""The errors of a statement when the database is down, restarting or overloaded."""


def make_engine(url: str, *, suspended_after_s: float | None = None) -> AsyncEngine:
    """An engine for `url`. Creates the folder of a SQLite file if it is missing.

    `suspended_after_s`: PostgreSQL ends a transaction whose client was silent for this long and frees the rows it had
    locked. For SQLite, `suspended.py` does the same.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        if parsed.database and parsed.database != ":memory:":
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_async_engine(
            url,
            poolclass=FairPool,
            pool_size=SQLITE_CONNECTIONS,
            max_overflow=0,
            connect_args={"timeout": 30, "factory": _RollsBackFirst},
        )
        _make_sqlite_safe(engine)
        return engine
    limit = [f"idle_in_transaction_session_timeout={suspended_after_s * 1000:.0f}"] if suspended_after_s else []
    engine = create_async_engine(
        url,
        poolclass=FairPool,
        pool_size=10,
        max_overflow=10,
        pool_timeout=POOL_WAIT_S,
        # Otherwise the driver gives bytes of a database in another encoding, before `upgrade` can refuse it.
        connect_args={**GONE_AFTER, "client_encoding": "utf8", "options": " ".join(f"-c {each}" for each in limit)},
    )
    _ping_idle_connections(engine)
    _classify_ended_transactions(engine)
    return engine


class _RollsBackFirst(sqlite3.Connection):
    """SQLAlchemy closes the connection of a cancelled statement. SQLite keeps one open, with the write lock, as long as
    something still refers to a statement whose rows nobody fetched. A rollback gives the lock up at once.
    """

    def close(self) -> None:
        # One that is closed already has nothing to roll back.
        with suppress(sqlite3.Error):
            self.rollback()
        super().close()


class Staging(Protocol):
    """What a transaction needs on its connection that others do not see: temporary tables."""

    async def fill(self, connection: AsyncConnection) -> None: ...

    async def empty(self, connection: AsyncConnection) -> None: ...


class Database:
    """One engine and its two kinds of session.

    `write()` is one transaction, committed at the end or rolled back on an error. On SQLite it takes the write lock at
    its start. `read()` is for statements that change nothing. It has no transaction: each statement sees the database
    at its own moment, which is all that READ COMMITTED offers. Use both as
    `async with database.write() as session:`.
    """

    def __init__(self, url: str, *, suspended_after_s: float | None = None, billing: bool = False) -> None:
        """`billing` is the setting of that name, which sessions carry in `info`."""
        self.engine = make_engine(url, suspended_after_s=suspended_after_s)
        info = {BILLING: billing}
        self._write = async_sessionmaker(self.engine, expire_on_commit=False, info=info)
        # SQLite's connections are always in that mode; only our own handler begins transactions.
        options = {"read_only": True} if self.is_sqlite else {"isolation_level": "AUTOCOMMIT"}
        self.reading = self.engine.execution_options(**options)
        """What `read()` uses, for statements that need no session."""
        self.commits = Commits(self.reading)
        self._read = async_sessionmaker(self.reading, expire_on_commit=False, info=info)
        one_moment = {"read_only": True} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        snapshot = self.engine.execution_options(**one_moment)
        self._snapshot = async_sessionmaker(snapshot, expire_on_commit=False, info=info)

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @asynccontextmanager
    async def write(self, staging: Staging | None = None) -> AsyncIterator[AsyncSession]:
        """`staging` is put on the connection before the transaction begins, and taken away after it."""
        if staging is None:
            async with self._write() as session, session.begin():
                yield session
                commit_begins()
            return
        async with (
            self.engine.connect() as connection,
            _staged(connection, staging),
            self._write(bind=connection) as session,
            session.begin(),
        ):
            yield session
            commit_begins()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncSession]:
        async with self._read() as session, session.begin():
            yield session

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncSession]:
        """For one statement whose rows are streamed. PostgreSQL streams only in a transaction."""
        async with self._snapshot() as session, session.begin():
            yield session

    async def close(self) -> None:
        self.commits.close()
        await self.engine.dispose()


@asynccontextmanager
async def _staged(connection: AsyncConnection, staging: Staging) -> AsyncIterator[None]:
    await connection.execution_options(read_only=True)
    await staging.fill(connection)
    await connection.commit()
    await connection.execution_options(read_only=False)
    try:
        yield
    finally:
        # A connection that broke takes its temporary tables with it.
        with suppress(*DATABASE_AWAY):
            await connection.execution_options(read_only=True)
            await staging.empty(connection)
            await connection.commit()


def _ping_idle_connections(engine: AsyncEngine) -> None:
    """After a restart of the database all connections are dead. The first failed ping drops all of them.

    A connection that died within the last second is not pinged. Its statement fails as if the database were down.
    """

    @event.listens_for(engine.sync_engine, "checkin")
    def _on_checkin(_connection: Any, record: ConnectionPoolEntry) -> None:
        record.info["idle_since"] = time.monotonic()

    @event.listens_for(engine.sync_engine, "checkout")
    def _on_checkout(connection: Any, record: ConnectionPoolEntry, _proxy: Any) -> None:
        now = time.monotonic()
        if now - record.info.get("idle_since", now) < PING_AFTER_S:
            return
        dialect = engine.sync_engine.dialect
        try:
            dialect.do_ping(connection)
        except dialect.loaded_dbapi.Error as error:
            raise InvalidatePoolError from error


def _classify_ended_transactions(engine: AsyncEngine) -> None:
    """PostgreSQL ends an idle transaction with its connection, after a cut cable or a suspended client. The driver
    reports an internal error; make it one of `DATABASE_AWAY`.
    """

    @event.listens_for(engine.sync_engine, "handle_error")
    def _on_error(context: ExceptionContext) -> OperationalError | None:
        cause = context.original_exception
        if getattr(cause, "sqlstate", None) != IDLE_IN_TRANSACTION:
            return None
        context.is_disconnect = True
        return OperationalError(context.statement, context.parameters, cause, connection_invalidated=True)


def _make_sqlite_safe(engine: AsyncEngine) -> None:
    """WAL, full sync and `BEGIN IMMEDIATE`.

    With SQLite's deferred transactions 198 of 200 concurrent read-then-write updates were lost without an error,
    with `BEGIN IMMEDIATE` none; `synchronous=FULL` is what survives a power cut in WAL mode.
    """

    @event.listens_for(engine.sync_engine, "connect")
    def _on_connect(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "busy_timeout=30000",
        ):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _on_begin(connection: Any) -> None:
        if not connection.get_execution_options().get("read_only", False):
            connection.exec_driver_sql("BEGIN IMMEDIATE")
