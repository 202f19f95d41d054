"""Objects nobody needs go for good, also when storage is away for a while; events do not wait for that."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from api.platform.http.state import AppState
from api.platform.jobs.attempts.cleanup import cleanup_delivery, remove_later
from api.platform.jobs.models import OutboxMessage
from api.platform.jobs.sending.outbox_sender import OutboxSender, Undelivered
from cluster.storage.bucket_objects import S3Storage
from cluster.storage.objects import Storage
from cluster.storage.s3 import Bucket
from cluster.testing.s3_server import BUCKET, running_s3


async def unsent(state: AppState) -> int:
    async with state.database.read() as session:
        statement = select(func.count()).select_from(OutboxMessage).where(OutboxMessage.published_at.is_(None))
        return await session.scalar(statement) or 0


async def clean(state: AppState, storage: Storage) -> int:
    delivery = cleanup_delivery(storage)
    return await OutboxSender(state.database, [delivery]).send_batch(delivery)


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
    assert await clean(state, state.storage) == 2
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
        put(storage, tmp_path, "jobs/a/1/gone.mp4")
        async with state.database.write() as session:
            remove_later(session, keys=["jobs/a/1/gone.mp4"])
        s3.stop()
        with pytest.raises(Undelivered):
            await clean(state, storage)
        assert await unsent(state) == 1
        s3.start()
        assert await clean(state, storage) == 1
        assert s3.keys() == []
        assert await unsent(state) == 0
