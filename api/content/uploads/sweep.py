"""Regular cleanup: finishes interrupted completions, and removes expired uploads and bytes without a record."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial

import structlog
from sqlalchemy import and_, or_, select

from api.content.arrivals.models import TusUpload, Upload, UploadStatus
from api.content.arrivals.transitions import UPLOAD_STATUS
from api.content.uploads import tokens
from api.content.uploads.completion import fail_upload
from api.content.uploads.record_rows import end
from api.content.uploads.tus.context import TusContext
from api.content.uploads.tus.errors import TusError
from api.content.uploads.tus.finish import discard_if_free
from api.content.uploads.tus.records import PARTIAL
from api.content.uploads.tus.recovery import finish_if_free
from api.platform.db import clock
from api.platform.db.engine import Database
from cluster.background import end as end_task
from cluster.wording.message import Message

log = structlog.get_logger(__name__)

EVERY_S = 300.0
QUIET_AFTER = timedelta(minutes=10)
"""An upload in status `uploading` that received nothing for this long becomes `incomplete`."""
STRAY_AFTER_S = 3600.0
INTERRUPTED = Message(
    "uploads.interrupted", "The upload was not complete when the backup was made. Please upload the file again."
)
EXPIRED = Message(
    "uploads.expired", "This upload was not finished in time and has been removed. Please upload the file again."
)


async def end_interrupted(database: Database) -> None:
    """End every upload that is not complete, after a restore: its bytes are in no backup."""
    async with database.read() as session:
        live = select(TusUpload.id).where(TusUpload.completed_at.is_(None), TusUpload.terminated_at.is_(None))
        ids = (await session.scalars(live)).all()
    for upload_id in ids:
        async with database.write() as session:
            if await end(session, upload_id):
                await fail_upload(session, upload_id, INTERRUPTED)


async def sweep(tus: TusContext, database: Database) -> None:
    """One round. Several processes may run it at once."""
    await _finish_interrupted(tus, database)
    await _expire(tus, database)
    await _mark_quiet(database)
    await _remove_strays(tus, database)
    async with database.write() as session:
        await tokens.remove_expired(session)


@contextlib.asynccontextmanager
async def sweeping(tus: TusContext, database: Database) -> AsyncIterator[None]:
    """Sweep every `EVERY_S` while the context is open, and wait at its end for requests that are still under way."""
    task = asyncio.create_task(_sweep_forever(tus, database))
    try:
        yield
    finally:
        await end_task(task)
        # The database closes next.
        await tus.rest()


async def _sweep_forever(tus: TusContext, database: Database) -> None:
    while True:
        try:
            await sweep(tus, database)
        except Exception as error:
            # The database may be unreachable. The next round finds the same work.
            log.warning("upload.sweep_failed", error=type(error).__name__, detail=str(error))
        await asyncio.sleep(EVERY_S)


async def _finish_interrupted(tus: TusContext, database: Database) -> None:
    """Finish uploads that need no more bytes: complete ones, and final ones made of parts."""
    statement = select(TusUpload.id).where(
        TusUpload.completed_at.is_(None),
        TusUpload.terminated_at.is_(None),
        or_(
            and_(TusUpload.concat.is_(None), TusUpload.offset == TusUpload.length),
            and_(TusUpload.concat.is_not(None), TusUpload.concat != PARTIAL),
        ),
    )
    async with database.read() as session:
        ids = (await session.scalars(statement)).all()
    for upload_id in ids:
        try:
            await finish_if_free(tus, upload_id)
        except TusError as error:
            log.warning("upload.not_finished", upload_id=upload_id, detail=error.message)


async def _expire(tus: TusContext, database: Database) -> None:
    statement = select(TusUpload.id).where(
        TusUpload.expires_at < clock.now(), TusUpload.completed_at.is_(None), TusUpload.terminated_at.is_(None)
    )
    async with database.read() as session:
        ids = (await session.scalars(statement)).all()
    for upload_id in ids:
        async with database.write() as session:
            if not await end(session, upload_id):
                continue
            await fail_upload(session, upload_id, EXPIRED)
        await discard_if_free(tus, upload_id)
        log.info("upload.expired", upload_id=upload_id)


async def _mark_quiet(database: Database) -> None:
    statement = UPLOAD_STATUS.update_to(UploadStatus.INCOMPLETE).where(
        Upload.status == UploadStatus.UPLOADING,
        Upload.tus_id.is_not(None),
        Upload.updated_at < clock.now(-QUIET_AFTER.total_seconds()),
    )
    async with database.write() as session:
        await session.execute(statement)


async def _remove_strays(tus: TusContext, database: Database) -> None:
    """Remove the bytes of uploads that ended during a write, or whose owner's account was deleted."""
    old = await tus.threads.run(lambda: list(tus.store.strays(STRAY_AFTER_S)))
    if not old:
        return
    async with database.read() as session:
        statement = select(TusUpload.id).where(
            TusUpload.id.in_({stray.upload_id for stray in old}),
            TusUpload.completed_at.is_(None),
            TusUpload.terminated_at.is_(None),
        )
        live = set((await session.scalars(statement)).all())
    for stray in old:
        if stray.upload_id not in live:
            async with tus.locks.hold(stray.upload_id) as lock:
                if lock is not None:
                    await tus.threads.run(partial(tus.store.remove_stray, stray))
