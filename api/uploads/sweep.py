"""What an upload host tidies by itself: interrupted completions, expired uploads, bytes that nobody knows any more."""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import AsyncIterator
from datetime import timedelta

import structlog
from sqlalchemy import select, update

from api.db.base import utc_now
from api.db.engine import Database
from api.uploads import tokens
from api.uploads.models import TusUpload, Upload, UploadStatus
from api.uploads.tus.host import TusHost, finish_if_interrupted
from api.uploads.tus.store import discard_if_free
from api.uploads.tus_records import end

log = structlog.get_logger(__name__)

EVERY_S = 300.0
QUIET_AFTER = timedelta(minutes=10)
"""An upload still called `uploading` that got no byte for this long is `incomplete`."""
STRAY_AFTER_S = 3600.0
EXPIRED = "This upload was not finished in time and has been removed. Please upload the file again."


async def sweep(host: TusHost, database: Database) -> None:
    """One round. Safe beside other processes that do the same."""
    await _finish_interrupted(host, database)
    await _expire(host, database)
    await _mark_quiet(database)
    await _remove_strays(host, database)
    async with database.write() as session:
        await tokens.remove_expired(session)


@contextlib.asynccontextmanager
async def sweeping(host: TusHost, database: Database) -> AsyncIterator[None]:
    """Sweep now and then, as long as the context is open."""
    task = asyncio.create_task(_sweep_forever(host, database))
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


async def _sweep_forever(host: TusHost, database: Database) -> None:
    while True:
        try:
            await sweep(host, database)
        except Exception as error:
            # The database may be away for a while; the next round finds the same work.
            log.warning("upload.sweep_failed", error=type(error).__name__, detail=str(error))
        await asyncio.sleep(EVERY_S)


async def _finish_interrupted(host: TusHost, database: Database) -> None:
    statement = select(TusUpload.id).where(
        TusUpload.completed_at.is_(None), TusUpload.terminated_at.is_(None), TusUpload.offset == TusUpload.length
    )
    async with database.read() as session:
        ids = (await session.scalars(statement)).all()
    for upload_id in ids:
        record = await host.records.get(upload_id)
        if record is not None:
            await finish_if_interrupted(host, record)


async def _expire(host: TusHost, database: Database) -> None:
    statement = select(TusUpload.id).where(
        TusUpload.expires_at < utc_now(), TusUpload.completed_at.is_(None), TusUpload.terminated_at.is_(None)
    )
    async with database.read() as session:
        ids = (await session.scalars(statement)).all()
    for upload_id in ids:
        async with database.write() as session:
            if not await end(session, upload_id):
                continue
            values = {"status": UploadStatus.FAILED, "error": EXPIRED}
            await session.execute(update(Upload).where(Upload.tus_id == upload_id).values(values))
        discard_if_free(host.store, upload_id)
        log.info("upload.expired", upload_id=upload_id)


async def _mark_quiet(database: Database) -> None:
    statement = (
        update(Upload)
        .where(
            Upload.status == UploadStatus.UPLOADING,
            Upload.tus_id.is_not(None),
            Upload.updated_at < utc_now() - QUIET_AFTER,
        )
        .values(status=UploadStatus.INCOMPLETE)
    )
    async with database.write() as session:
        await session.execute(statement)


async def _remove_strays(host: TusHost, database: Database) -> None:
    """Bytes of uploads that ended while somebody was writing, or whose owner's account is gone."""
    old = await asyncio.to_thread(_old_names, host)
    if not old:
        return
    async with database.read() as session:
        statement = select(TusUpload.id).where(
            TusUpload.id.in_(old), TusUpload.completed_at.is_(None), TusUpload.terminated_at.is_(None)
        )
        live = set((await session.scalars(statement)).all())
    for upload_id in old - live:
        discard_if_free(host.store, upload_id)


def _old_names(host: TusHost) -> set[str]:
    before = time.time() - STRAY_AFTER_S
    names: set[str] = set()
    for entry in os.scandir(host.store.folder):
        # A file may be finished and moved while we look.
        with contextlib.suppress(FileNotFoundError):
            if entry.stat().st_mtime < before:
                names.add(entry.name.partition(".")[0])
    return names
