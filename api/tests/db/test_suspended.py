"""A process suspended inside a write transaction, on SQLite and on PostgreSQL: others wait only this long."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import select

from api.people.users.models import User
from api.platform.db.engine import Database
from api.platform.db.suspended import end_suspended_holders, holders, locks_of
from cluster.testing.patience import PATIENCE_S

HOLD = """
import asyncio, sys
from sqlalchemy import text
from api.platform.db.engine import Database

async def hold():
    async with Database(sys.argv[1], suspended_after_s=1).write() as session:
        await session.execute(text("UPDATE users SET name = 'suspended'"))
        print("held", flush=True)
        await asyncio.sleep(600)

asyncio.run(hold())
"""


@contextmanager
def holding(url: str) -> Iterator[subprocess.Popen[str]]:
    """Another process inside a transaction that has changed a row."""
    process = subprocess.Popen([sys.executable, "-c", HOLD, url], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


async def _user(url: str) -> Database:
    database = Database(url)
    async with database.write() as session:
        session.add(User(name="ada", email="ada@example.com", password_hash="-"))
    return database


async def _write(database: Database) -> str:
    async with database.write() as session:
        user = (await session.scalars(select(User).with_for_update())).one()
        before, user.name = user.name, "written"
    return before


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_sqlite_writers_wait_for_a_suspended_one_until_it_is_killed(database_url: str) -> None:
    database = await _user(database_url)
    locks = locks_of(database)
    with holding(database_url) as holder:
        watching = asyncio.create_task(end_suspended_holders(locks, suspended_s=1))
        assert list(holders(locks[0])) == [holder.pid]
        writing = asyncio.create_task(_write(database))
        await asyncio.sleep(2.5)
        assert not writing.done(), "a holder that is at work is waited for"
        os.kill(holder.pid, signal.SIGSTOP)
        assert await asyncio.wait_for(writing, PATIENCE_S) == "ada", "what was never committed is gone"
        assert await asyncio.to_thread(holder.wait) == -signal.SIGKILL
        watching.cancel()
    await database.close()


@pytest.mark.long
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_suspended_holder_stays_alive_where_the_setting_says_so(database_url: str) -> None:
    database = await _user(database_url)
    with holding(database_url) as holder:
        os.kill(holder.pid, signal.SIGSTOP)
        watching = end_suspended_holders(locks_of(database), enabled=False, suspended_s=0)
        await asyncio.wait_for(watching, PATIENCE_S)
        assert holder.poll() is None
        holder.send_signal(signal.SIGCONT)
    await database.close()


@pytest.mark.long
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_postgresql_ends_the_transaction_of_a_suspended_process(database_url: str) -> None:
    database = await _user(database_url)
    with holding(database_url) as holder:
        os.kill(holder.pid, signal.SIGSTOP)
        assert await asyncio.wait_for(_write(database), PATIENCE_S) == "ada"
    await database.close()
