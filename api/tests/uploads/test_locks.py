"""Both kinds of lock: across processes of one machine, and across machines through either database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from api.content.arrivals.models import TusUpload
from api.content.uploads import lease_locks
from api.content.uploads.lease_locks import LeaseLocks
from api.content.uploads.tus.locks import UploadLocks
from api.content.uploads.tus.storage.file_locks import FileLocks
from api.people.users.models import User
from api.platform.db.base import utc_now
from api.platform.db.engine import Database
from cluster.testing.patience import PATIENCE_S

ID = "a" * 40


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    made = Database(database_url)
    async with made.write() as session:
        user = User(name="Ada", email="ada@example.com", password_hash="-")
        session.add(user)
        await session.flush()
        session.add(TusUpload(id=ID, user_id=user.id, expires_at=utc_now() + timedelta(days=1)))
    yield made
    await made.close()


@pytest.fixture(params=["files", "leases"])
def two(request: pytest.FixtureRequest, tmp_path: Path, database: Database) -> tuple[UploadLocks, UploadLocks]:
    """The same locks in two processes."""
    if request.param == "files":
        return FileLocks(tmp_path / "locks"), FileLocks(tmp_path / "locks")
    return LeaseLocks(database), LeaseLocks(database)


async def test_the_next_request_gets_a_released_lock(two: tuple[UploadLocks, UploadLocks]) -> None:
    here, there = two
    async with here.hold(ID) as lock:
        assert lock is not None
        for other in two:
            async with other.hold(ID) as second:
                assert second is None
        # No request wants it.
        assert not lock.wanted.is_set()
    async with there.hold(ID) as lock:
        assert lock is not None


@pytest.mark.long
@pytest.mark.parametrize("where", [0, 1])
async def test_a_waiting_request_makes_the_holder_release(two: tuple[UploadLocks, UploadLocks], where: int) -> None:
    begun = asyncio.Event()
    order: list[str] = []

    async def holder() -> None:
        async with two[0].hold(ID) as lock:
            assert lock is not None
            begun.set()
            await asyncio.wait_for(lock.wanted.wait(), PATIENCE_S)
            order.append("holder")

    holding = asyncio.create_task(holder())
    await begun.wait()
    async with two[where].hold(ID, wait_s=20) as lock:
        assert lock is not None
        order.append("newcomer")
        assert not lock.wanted.is_set()
    await holding
    assert order == ["holder", "newcomer"]


async def test_a_wait_that_times_out_gets_no_lock(two: tuple[UploadLocks, UploadLocks]) -> None:
    async with two[0].hold(ID), two[1].hold(ID, wait_s=0.1) as lock:
        assert lock is None


@pytest.mark.long
async def test_a_lock_never_has_two_holders(two: tuple[UploadLocks, UploadLocks]) -> None:
    inside, most, count = 0, 0, 0

    async def once(locks: UploadLocks) -> None:
        nonlocal inside, most, count
        async with locks.hold(ID, wait_s=60) as lock:
            assert lock is not None
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.002)
            inside -= 1
            count += 1

    await asyncio.gather(*(once(locks) for locks in two for _ in range(4)))
    assert (most, count) == (1, 8)


async def test_a_lease_of_a_dead_server_expires_by_the_database_s_clock_for_good(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lease_locks, "RENEW_EVERY_S", 0.2)
    frozen, other = LeaseLocks(database), LeaseLocks(database)
    async with frozen.hold(ID) as lost:
        assert lost is not None
        async with database.write() as session:
            await session.execute(update(TusUpload).values(lock_until=utc_now() - timedelta(seconds=60)))
        async with other.hold(ID) as lock:
            # Unless the first has renewed it meanwhile and is alive.
            if lock is not None:
                await asyncio.wait_for(lost.wanted.wait(), PATIENCE_S)
                assert not lock.wanted.is_set()


async def test_a_lease_is_renewed(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease_locks, "RENEW_EVERY_S", 0.1)
    here, there = LeaseLocks(database), LeaseLocks(database)
    async with here.hold(ID) as lock:
        assert lock is not None
        first = await _end_of_lease(database)
        async with asyncio.timeout(PATIENCE_S):
            while await _end_of_lease(database) <= first:
                await asyncio.sleep(0.05)
        async with there.hold(ID) as second:
            assert second is None
        assert not lock.wanted.is_set()


async def _end_of_lease(database: Database) -> datetime:
    async with database.read() as session:
        end = (await session.scalars(select(TusUpload.lock_until))).one()
    assert end is not None
    return end
