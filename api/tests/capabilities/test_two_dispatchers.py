"""Several dispatchers that start at once all copy what is loaded into an empty database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from api.platform.capabilities import service
from api.platform.capabilities.queries import capability_of
from api.platform.capabilities.replica_recorder import ReplicaRecorder
from api.platform.db.engine import Database
from serve.core.capability import Capability
from serve.core.replica_messages import TaskReplicas

DISPATCHERS = 8


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    made = Database(database_url)
    yield made
    await made.close()


async def test_all_of_them_write_the_first_row(database: Database) -> None:
    async def dispatch(number: int) -> None:
        await ReplicaRecorder(database, lambda: {"transcription": TaskReplicas(starting=1)})()
        async with database.write() as session:
            await service.store(session, Capability("transcription"))

    await asyncio.gather(*map(dispatch, range(DISPATCHERS)))
    async with database.read() as session:
        assert await capability_of(session) == Capability("transcription")
