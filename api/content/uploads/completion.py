"""Completes an upload: its bytes become a stored object, and one transaction adds a file with a job.

Every step can be repeated after a crash. An offset equal to the length means that all bytes are here, the object's key
shows whether they were moved, and the guard in the transaction makes it happen once.
"""

from __future__ import annotations

import asyncio
from typing import NoReturn

import structlog
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncSession

from api.content.arrivals.models import TusUpload, Upload, UploadStatus
from api.content.arrivals.transitions import UPLOAD_STATUS
from api.content.preparation.creation import create_file
from api.content.uploads.record_rows import end, is_live
from api.content.uploads.storage import check_storage
from api.content.uploads.tus.errors import BYTES_LOST, TusError, bytes_lost
from api.content.uploads.tus.records import TusRecord
from api.content.uploads.tus.storage.store import UploadStore
from api.people.access.audience import notice_of
from api.people.ledger.errors import StorageExceeded
from api.people.plans.payer import payer_of
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.jobs.outbox import add_event
from api.platform.realtime.events import event
from api.platform.realtime.messages import Action, Topic
from cluster.storage.objects import Storage

log = structlog.get_logger(__name__)


class UploadCompletion:
    """`Completion` over the database and the object store."""

    def __init__(self, database: Database, storage: Storage, store: UploadStore) -> None:
        self._database = database
        self._storage = storage
        self._store = store

    async def __call__(self, record: TusRecord) -> None:
        key = record.object_key
        if not await asyncio.to_thread(self._to_object, record):
            async with self._database.write() as session:
                await _fail(session, record)
            raise bytes_lost()
        try:
            async with self._database.write() as session:
                done = await _complete(session, record, key=key)
        except StorageExceeded as refused:
            await self._refuse(record, key, refused)
        if not done:
            # Cancelled while its last bytes were arriving, so nothing refers to the object.
            await asyncio.to_thread(self._storage.delete, key)
            log.info("upload.dropped", upload_id=record.id)

    async def _refuse(self, record: TusRecord, key: str, refused: StorageExceeded) -> NoReturn:
        """Drop an upload that outgrew the plan's storage: its size was unknown when it began, or the plan changed."""
        async with self._database.write() as session:
            if await end(session, record.id):
                await fail_upload(session, record.id, refused.message)
        await asyncio.to_thread(self._storage.delete, key)
        raise TusError(refused.status_code, refused.message) from None

    def _to_object(self, record: TusRecord) -> bool:
        """Turn the bytes into their object unless that was done before. False if the bytes are missing."""
        return self._storage.exists(record.object_key) or (record.is_whole and self._store.publish(record))


async def _complete(session: AsyncSession, record: TusRecord, *, key: str) -> bool:
    """Mark the upload complete, once. False if it was cancelled. True also if it was complete before.

    Raises `StorageExceeded`.
    """
    statement = (
        update(TusUpload)
        .where(is_live(record.id), TusUpload.offset == TusUpload.length)
        .values(completed_at=clock.now(), storage_key=key)
        .returning(TusUpload.length)
    )
    size = await session.scalar(statement)
    if size is None:
        row = await session.get(TusUpload, record.id)
        return row is not None and row.completed_at is not None
    upload = (await session.scalars(select(Upload).where(Upload.tus_id == record.id))).one()
    await check_storage(session, await payer_of(session, upload.user_id, upload.team_id), 0)
    UPLOAD_STATUS.move(upload, UploadStatus.WAITING)
    # It is a file now and appears in the list of files.
    upload.is_displayed = False
    upload.bytes_uploaded = size
    upload.filesize = size
    upload.error = None
    await create_file(session, upload, original_key=key, size_bytes=size)
    return True


async def _fail(session: AsyncSession, record: TusRecord) -> None:
    log.error("upload.bytes_lost", upload_id=record.id)
    if not await end(session, record.id):
        return
    await fail_upload(session, record.id, BYTES_LOST)


async def fail_upload(session: AsyncSession, tus_id: str, reason: str) -> None:
    """Mark the upload of an ended record failed and send `Tus/Failed`. Partial uploads have no row of their own."""
    upload = (await session.scalars(select(Upload).where(Upload.tus_id == tus_id))).one_or_none()
    if upload is None:
        return
    UPLOAD_STATUS.move(upload, UploadStatus.FAILED)
    upload.error = reason
    failed = event(Topic.TUS, Action.FAILED, slug=upload.slug, name=upload.filename, reason=reason)
    add_event(session, await notice_of(session, upload, failed))
