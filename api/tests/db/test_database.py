"""Both databases: their schema, and concurrent changes that must not be lost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, event, literal, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from api.people.users.models import User
from api.platform.db import engine
from api.platform.db.engine import DATABASE_AWAY, Database
from api.platform.db.fair_pool import FairPool
from api.platform.db.migrate import alembic_config, newest_schema, upgrade
from api.tables import metadata
from cluster.testing.patience import PATIENCE_S

WRITERS = 60


def test_the_newest_schema_is_that_after_the_last_migration() -> None:
    assert newest_schema() == ScriptDirectory.from_config(alembic_config("sqlite://")).get_current_head()


@pytest.mark.long
async def test_migrations_give_the_models_and_run_twice(bare_database_url: str) -> None:
    await upgrade(bare_database_url)
    await upgrade(bare_database_url)
    database = Database(bare_database_url)

    def check(connection: Connection) -> None:
        config = alembic_config(bare_database_url)
        config.attributes["connection"] = connection
        config.attributes["metadata"] = metadata
        command.check(config)

    async with database.engine.begin() as connection:
        await connection.run_sync(check)
    await database.close()


@pytest.mark.long
async def test_concurrent_read_then_write_updates_are_all_kept(database_url: str) -> None:
    database = Database(database_url)
    async with database.write() as session:
        session.add(User(name="0", email="counter@example.com", password_hash="-"))

    async def count_up() -> None:
        async with database.write() as session:
            user = (await session.scalars(select(User).with_for_update())).one()
            await asyncio.sleep(0)
            user.name = str(int(user.name) + 1)

    await asyncio.gather(*(count_up() for _ in range(WRITERS)))
    async with database.read() as session:
        assert await session.scalar(select(User.name)) == str(WRITERS)
    await database.close()


async def test_connections_go_to_those_who_waited_longest(database_url: str) -> None:
    database = Database(database_url)
    order: list[str] = []

    async def read(name: str) -> None:
        async with database.engine.connect():
            order.append(name)

    held = await _all_connections(database)
    waiting = [asyncio.create_task(read(name)) for name in ("first", "second", "third")]
    await asyncio.sleep(0.1)
    await held.pop().close()
    # In this very step, before the loop wakes anybody.
    await read("newcomer")
    await asyncio.gather(*waiting)
    assert order == ["first", "second", "third", "newcomer"]
    for connection in held:
        await connection.close()
    await database.close()


@pytest.mark.long
async def test_a_connection_for_a_cancelled_reader_goes_to_the_next(database_url: str) -> None:
    database = Database(database_url)
    held = await _all_connections(database)
    cancelled, next_one = (asyncio.create_task(_read_one(database)) for _ in range(2))
    await asyncio.sleep(0.1)
    await held.pop().close()
    cancelled.cancel()
    assert await next_one == 1
    for connection in held:
        await connection.close()
    await asyncio.gather(*(_read_one(database) for _ in range(WRITERS)))
    await database.close()


async def _all_connections(database: Database) -> list[AsyncConnection]:
    """As many as the pool gives; the next caller waits."""
    pool = database.engine.pool
    assert isinstance(pool, FairPool)
    return [await database.engine.connect() for _ in range(pool.size() + pool._max_overflow)]


async def _read_one(database: Database) -> int:
    async with database.read() as session:
        return (await session.execute(select(literal(1)))).scalar_one()


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_cancelled_statement_gives_up_the_write_lock(database_url: str) -> None:
    """A request may end while its statement runs. The statement has rows that nobody fetches any more."""
    database = Database(database_url)
    began, goes_on = asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def held() -> str:
        loop.call_soon_threadsafe(began.set)
        goes_on.wait(PATIENCE_S)
        return "cancelled"

    @event.listens_for(database.engine.sync_engine, "connect")
    def _on_connect(connection: Any, _record: Any) -> None:
        connection.create_function("held", 0, held)

    async with database.write() as session:
        session.add(User(name="0", email="counter@example.com", password_hash="-"))

    async def change() -> None:
        async with database.write() as session:
            await session.execute(text("UPDATE users SET name = held() RETURNING id"))

    changing = asyncio.create_task(change())
    await began.wait()
    changing.cancel()
    loop.call_later(0.1, goes_on.set)
    # The exception keeps the frames of the statement, as a log or a cycle of references does.
    [cancelled] = await asyncio.gather(changing, return_exceptions=True)
    async with database.write() as session:
        assert await session.scalar(select(User.name)) == "0"
    assert isinstance(cancelled, asyncio.CancelledError)
    await database.close()


async def test_a_failed_transaction_leaves_nothing(database_url: str) -> None:
    database = Database(database_url)
    try:
        async with database.write() as session:
            session.add(User(name="a", email="a@example.com", password_hash="-"))
            await session.flush()
            raise ValueError
    except ValueError:
        pass
    async with database.read() as session:
        assert (await session.scalars(select(User))).all() == []
    await database.close()


@pytest.fixture
def end_connections(database_url: str) -> Callable[[], None]:
    """Ends every connection to the database, as a restart does."""

    def end() -> None:
        with psycopg.connect(database_url.replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    return end


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("reads", [True, False])
async def test_connections_that_died_while_idle_go_unnoticed(
    database_url: str, end_connections: Callable[[], None], reads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "PING_AFTER_S", 0.0)
    database = Database(database_url)
    begin = database.read if reads else database.write
    async with begin() as one, begin() as other:
        await asyncio.gather(one.scalar(text("SELECT 1")), other.scalar(text("SELECT 1")))
    await asyncio.to_thread(end_connections)
    for _ in range(2):
        async with begin() as session:
            assert await session.scalar(text("SELECT 1")) == 1
    await database.close()


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_connection_that_died_just_now_fails_one_statement(
    database_url: str, end_connections: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "PING_AFTER_S", 60.0)
    database = Database(database_url)
    async with database.read() as one, database.read() as other:
        await asyncio.gather(one.scalar(text("SELECT 1")), other.scalar(text("SELECT 1")))
    await asyncio.to_thread(end_connections)
    with pytest.raises(DATABASE_AWAY):
        async with database.read() as session:
            await session.scalar(text("SELECT 1"))
    # The pool drops the other dead connection too.
    for _ in range(2):
        async with database.read() as session:
            assert await session.scalar(text("SELECT 1")) == 1
    await database.close()


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_transaction_that_the_database_ended_counts_as_database_unavailable(database_url: str) -> None:
    database = Database(database_url, suspended_after_s=0.2)

    async def freeze_in_transaction() -> None:
        async with database.write() as session:
            await session.scalar(text("SELECT 1"))
            await asyncio.sleep(0.5)
            await session.scalar(text("SELECT 1"))

    with pytest.raises(DATABASE_AWAY):
        await freeze_in_transaction()
    async with database.write() as session:
        assert await session.scalar(text("SELECT 1")) == 1
    await database.close()
