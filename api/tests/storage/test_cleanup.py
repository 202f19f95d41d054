"""Objects nobody needs go for good, also when storage is away for a while; events do not wait for that."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from api.http.state import AppState
from api.jobs.cleanup import StorageCleaner, remove_later
from api.jobs.models import OutboxMessage
from cluster.s3 import Bucket
from cluster.storage import Storage, StorageUnavailable
from cluster.storage_s3 import S3Storage
from cluster.testing.s3_server import BUCKET, running_s3


async def unsent(state: AppState) -> int:
    async with state.database.read() as session:
        statement = select(func.count()).select_from(OutboxMessage).where(OutboxMessage.published_at.is_(None))
        return await session.scalar(statement) or 0


def put(storage: Storage, tmp_path: Path, *keys: str) -> None:
    for key in keys:
        source = tmp_path / "source"
        source.write_bytes(b"x")
        storage.put(source, key)


async def test_named_objects_and_folders_are_removed(state: AppState, tmp_path: Path) -> None:
    put(state.storage, tmp_path, "jobs/a/1/kept.mp4", "jobs/a/1/gone.mp4", "jobs/b/2/x.wav", "jobs/b/1/x.wav")
    async with state.database.write() as session:
        remove_later(session, keys=["jobs/a/1/gone.mp4", "jobs/never/was.mp4", "../../etc/passwd"])
        remove_later(session, prefixes=["jobs/b/2"])
    assert await StorageCleaner(state.database, state.storage).clean() == 2
    assert state.storage.exists("jobs/a/1/kept.mp4")
    assert state.storage.exists("jobs/b/1/x.wav")
    assert not state.storage.exists("jobs/a/1/gone.mp4")
    assert not state.storage.exists("jobs/b/2/x.wav")
    assert await unsent(state) == 0


async def test_storage_that_is_away_is_asked_again(
    state: AppState, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_s3(monkeypatch) as s3:
        storage = S3Storage(Bucket(BUCKET, endpoint=s3.url))
        cleaner = StorageCleaner(state.database, storage)
        put(storage, tmp_path, "jobs/a/1/gone.mp4")
        async with state.database.write() as session:
            remove_later(session, keys=["jobs/a/1/gone.mp4"])
        s3.stop()
        with pytest.raises(StorageUnavailable):
            await cleaner.clean()
        assert await unsent(state) == 1
        s3.start()
        assert await cleaner.clean() == 1
        assert s3.keys() == []
        assert await unsent(state) == 0
